/* Splits a text into written words and gives each its folded form.

   The rules for a word are Python's (trialyst/folding.py), asked once for every distinct word and
   remembered. Splitting follows the same file: ASCII letters, digits, apostrophes and everything
   beyond ASCII make words, other ASCII characters separate them, and where a word is only letters
   and digits each run of either is a word. */

#include "folder.h"

enum { BREAK = 0, LETTER = 1, DIGIT = 2, OTHER = 4 };

static unsigned char CLASS[256];
static unsigned char LOWER[256];

void
words_prepare(void)
{
    for (int byte = 0; byte < 256; byte++) {
        int upper = byte >= 'A' && byte <= 'Z';
        LOWER[byte] = (unsigned char)(upper ? byte + 32 : byte);
        if (upper || (byte >= 'a' && byte <= 'z')) {
            CLASS[byte] = LETTER;
        } else if (byte >= '0' && byte <= '9') {
            CLASS[byte] = DIGIT;
        } else {
            CLASS[byte] = byte == '\'' || byte >= 0x80 ? OTHER : BREAK;
        }
    }
}

static inline int
add_folded(Text *into, size_t start, const char *folded, size_t size)
{
    if (size == 0) {
        return OK;
    }
    if (into->size > start && text_add(into, " ", 1) < 0) {
        return FAILED;
    }
    return text_add(into, folded, size);
}

/* Ask the rules about a word that is not known. */
static int
learn_word(Words *words, Span word, Text *into, size_t start, int may_ask)
{
    if (!may_ask) {
        return UNKNOWN_WORD;
    }
    Span folded = memo_learn(&words->words, word, word);
    return folded.at ? add_folded(into, start, folded.at, folded.size) : FAILED;
}

/* A word of at most NEAR_KEY bytes that zeros follow. */
typedef struct {
    char letters[NEAR_KEY + 8];
    size_t size;
    uint64_t hash;
} Near;

/* Words that are looked up together, so that one need not wait for another's memory. */
enum { TOGETHER = 16 };

typedef struct {
    Near word[TOGETHER];
    int count;
} Queue;

static inline int
fold_near(Words *words, const Near *near, Text *into, size_t start, int may_ask)
{
    Span folded = memo_find_padded(&words->words, near->hash, near->letters, near->size);
    if (folded.at) {
        return add_folded(into, start, folded.at, folded.size);
    }
    return learn_word(words, (Span){near->letters, near->size}, into, start, may_ask);
}

static int
fold_queue(Words *words, Queue *queue, Text *into, size_t start, int may_ask)
{
    int done = OK;
    for (int i = 0; i < queue->count && done == OK; i++) {
        done = fold_near(words, &queue->word[i], into, start, may_ask);
    }
    queue->count = 0;
    return done;
}

/* Add the word that stands in the next place of the queue. */
static inline int
put_near(Words *words, Queue *queue, size_t size, Text *into, size_t start, int may_ask)
{
    Near *near = &queue->word[queue->count++];
    memset(near->letters + size, 0, 8);
    near->size = size;
    near->hash = hash_padded(near->letters, size);
    memo_fetch(&words->words, near->hash);
    return queue->count < TOGETHER ? OK : fold_queue(words, queue, into, start, may_ask);
}

static int
fold_runs(Words *words, const char *word, size_t size, Text *into, size_t start, int may_ask)
{
    size_t at = 0;
    while (at < size) {
        size_t from = at;
        int kind = CLASS[(unsigned char)word[at]];
        while (at < size && CLASS[(unsigned char)word[at]] == kind) {
            at++;
        }
        /* Nothing is folded in a number. */
        if (kind == DIGIT) {
            if (add_folded(into, start, word + from, at - from) < 0) {
                return FAILED;
            }
            continue;
        }
        Near run = {.size = at - from};
        memcpy(run.letters, word + from, run.size);
        run.hash = hash_padded(run.letters, run.size);
        int done = fold_near(words, &run, into, start, may_ask);
        if (done != OK) {
            return done;
        }
    }
    return OK;
}

/* Fold a word as it is written: the rules lower its case. */
static int
fold_far(Words *words, Span word, Text *into, size_t start, int may_ask)
{
    Span folded = memo_find(&words->words, word);
    if (folded.at) {
        return add_folded(into, start, folded.at, folded.size);
    }
    return learn_word(words, word, into, start, may_ask);
}

int
words_fold(Words *words, Span text, Text *into, int may_ask)
{
    size_t start = into->size;
    Queue queue;
    queue.count = 0;
    const unsigned char *at = (const unsigned char *)text.at, *end = at + text.size;
    while (at < end) {
        if (CLASS[*at] == BREAK) {
            at++;
            continue;
        }
        const unsigned char *from = at;
        const unsigned char *near_end = end - at > NEAR_KEY ? at + NEAR_KEY : end;
        char *lowered = queue.word[queue.count].letters;
        int kinds = 0;
        for (int kind; at < near_end && (kind = CLASS[*at]); at++) {
            kinds |= kind;
            lowered[at - from] = (char)LOWER[*at];
        }
        size_t size = (size_t)(at - from);
        int is_far = at < end && CLASS[*at] != BREAK;
        int has_runs = (kinds & DIGIT) && !(kinds & OTHER);
        int done = is_far || has_runs ? fold_queue(words, &queue, into, start, may_ask)
                                      : put_near(words, &queue, size, into, start, may_ask);
        if (done == OK && is_far) {
            while (at < end && CLASS[*at] != BREAK) {
                at++;
            }
            Span word = {(const char *)from, (size_t)(at - from)};
            done = fold_far(words, word, into, start, may_ask);
        } else if (done == OK && has_runs) {
            done = fold_runs(words, lowered, size, into, start, may_ask);
        }
        if (done != OK) {
            return done;
        }
    }
    return fold_queue(words, &queue, into, start, may_ask);
}

typedef struct {
    PyObject_HEAD
    Words words;
} Folder;

static PyObject *
folder_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"fold_word", NULL};
    PyObject *ask;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O", names, &ask)) {
        return NULL;
    }
    Folder *folder = (Folder *)type->tp_alloc(type, 0);
    if (folder != NULL && memo_start(&folder->words.words, ask, 0) < 0) {
        Py_CLEAR(folder);
    }
    return (PyObject *)folder;
}

/* A rule may hold the folder it is a rule of; that ring is broken at the rule. */
static int
folder_traverse(Folder *folder, visitproc visit, void *arg)
{
    Py_VISIT(folder->words.words.ask);
    return 0;
}

static void
folder_dealloc(Folder *folder)
{
    PyObject_GC_UnTrack(folder);
    memo_free(&folder->words.words);
    Py_TYPE(folder)->tp_free((PyObject *)folder);
}

static int
fold_string(Folder *folder, PyObject *string, Text *into)
{
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(string, &size);
    if (text != NULL) {
        return words_fold(&folder->words, (Span){text, (size_t)size}, into, 1);
    }
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        return FAILED;
    }
    /* Half of a surrogate pair is no letter, and neither is the question mark put in its place. */
    PyErr_Clear();
    PyObject *mended = PyUnicode_AsEncodedString(string, "utf-8", "replace");
    if (mended == NULL) {
        return FAILED;
    }
    Span span = {PyBytes_AS_STRING(mended), (size_t)PyBytes_GET_SIZE(mended)};
    int done = words_fold(&folder->words, span, into, 1);
    Py_DECREF(mended);
    return done;
}

static PyObject *
folder_call(Folder *folder, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"text", NULL};
    PyObject *string;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "U", names, &string)) {
        return NULL;
    }
    Text folded = {0};
    PyObject *line = NULL;
    if (fold_string(folder, string, &folded) == OK) {
        line = PyUnicode_DecodeUTF8(folded.data, (Py_ssize_t)folded.size, NULL);
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    text_free(&folded);
    return line;
}

PyTypeObject FolderType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "trialyst._native.Folder",
    .tp_doc = "Folds texts, asking `fold_word` once for every distinct word.",
    .tp_basicsize = sizeof(Folder),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = folder_new,
    .tp_traverse = (traverseproc)folder_traverse,
    .tp_dealloc = (destructor)folder_dealloc,
    .tp_call = (ternaryfunc)folder_call,
};
