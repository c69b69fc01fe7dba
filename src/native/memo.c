/* A hash table with open addressing over an arena of keys and values. */

#include "memo.h"

#define FIRST_CAPACITY 4096
/* When so much is known everything is forgotten: a bound on memory, not a working set. */
#define MOST_LETTERS (64u << 20)

int
memo_start(Memo *memo, PyObject *ask, int takes_bytes)
{
    memo->ask = Py_NewRef(ask);
    memo->takes_bytes = takes_bytes;
    memo->capacity = FIRST_CAPACITY;
    memo->table = PyMem_RawCalloc(memo->capacity, sizeof(Known));
    if (memo->table == NULL) {
        PyErr_NoMemory();
        return FAILED;
    }
    return OK;
}

void
memo_free(Memo *memo)
{
    Py_CLEAR(memo->ask);
    PyMem_RawFree(memo->table);
    memo->table = NULL;
    arena_free(&memo->arena);
}

/* The place of a text in the table: where it stands, or the free one where it belongs. */
static Known *
place_of(const Memo *memo, uint64_t hash, const char *text, size_t size)
{
    size_t mask = memo->capacity - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        Known *known = &memo->table[at];
        if (known->hash == 0
            || (known->hash == hash && known->key.size == size
                && memcmp(known->key.at, text, size) == 0)) {
            return known;
        }
    }
}

/* 0 marks a free place. */
static inline uint64_t
hash_of(const char *text, size_t size)
{
    return hash_bytes(text, size) | 1;
}

const Span *
memo_find(const Memo *memo, const char *text, size_t size)
{
    const Known *known = place_of(memo, hash_of(text, size), text, size);
    return known->hash ? &known->value : NULL;
}

static int
grow(Memo *memo)
{
    size_t capacity = memo->capacity * 2;
    Known *table = PyMem_RawCalloc(capacity, sizeof(Known));
    if (table == NULL) {
        return FAILED;
    }
    for (size_t i = 0; i < memo->capacity; i++) {
        if (memo->table[i].hash == 0) {
            continue;
        }
        size_t at = memo->table[i].hash & (capacity - 1);
        while (table[at].hash != 0) {
            at = (at + 1) & (capacity - 1);
        }
        table[at] = memo->table[i];
    }
    PyMem_RawFree(memo->table);
    memo->table = table;
    memo->capacity = capacity;
    return OK;
}

static void
forget(Memo *memo)
{
    memset(memo->table, 0, memo->capacity * sizeof(Known));
    memo->count = 0;
    memo->letters = 0;
    arena_empty(&memo->arena);
}

static const Span *
remember(Memo *memo, const char *text, size_t size, const char *answer, size_t answer_size)
{
    if (memo->letters > MOST_LETTERS) {
        forget(memo);
    }
    if (memo->count * 2 >= memo->capacity && grow(memo) < 0) {
        PyErr_NoMemory();
        return NULL;
    }
    uint64_t hash = hash_of(text, size);
    Known *known = place_of(memo, hash, text, size);
    if (known->hash) {
        return &known->value;
    }
    Span key, value;
    if (arena_copy(&memo->arena, text, size, &key) < 0
        || arena_copy(&memo->arena, answer, answer_size, &value) < 0) {
        PyErr_NoMemory();
        return NULL;
    }
    *known = (Known){hash, key, value};
    memo->count++;
    memo->letters += size + answer_size;
    return &known->value;
}

const Span *
memo_learn(Memo *memo, Span key, Span asked)
{
    PyObject *text = memo->takes_bytes
                         ? PyBytes_FromStringAndSize(asked.at, (Py_ssize_t)asked.size)
                         : PyUnicode_DecodeUTF8(asked.at, (Py_ssize_t)asked.size, NULL);
    if (text == NULL) {
        return NULL;
    }
    PyObject *answer = PyObject_CallOneArg(memo->ask, text);
    Py_DECREF(text);
    if (answer == NULL) {
        return NULL;
    }
    Py_ssize_t length;
    const char *letters = PyUnicode_AsUTF8AndSize(answer, &length);
    const Span *value =
        letters ? remember(memo, key.at, key.size, letters, (size_t)length) : NULL;
    Py_DECREF(answer);
    return value;
}
