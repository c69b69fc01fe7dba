/* A hash table with open addressing; what is too long for it lies in an arena. */

#include "memo.h"

#define FIRST_CAPACITY 4096
#define CACHE_LINE 64
/* When so much is known everything is forgotten: a bound on memory, not a working set. */
#define MOST_KNOWN (1u << 20)
#define MOST_LETTERS (64u << 20)

static const Span NOTHING = {NULL, 0};

static inline size_t
padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

static inline int
is_near(size_t key_size, size_t value_size)
{
    return key_size <= NEAR_KEY && padded(key_size) + value_size <= NEAR_ROOM;
}

static Known *
new_table(size_t capacity, void **memory)
{
    *memory = PyMem_RawCalloc(capacity + 1, sizeof(Known));
    return (Known *)(((uintptr_t)*memory + CACHE_LINE - 1) & ~(uintptr_t)(CACHE_LINE - 1));
}

int
memo_start(Memo *memo, PyObject *ask, int takes_bytes)
{
    memo->ask = Py_NewRef(ask);
    memo->takes_bytes = takes_bytes;
    memo->capacity = FIRST_CAPACITY;
    memo->table = new_table(memo->capacity, &memo->memory);
    if (memo->memory == NULL) {
        PyErr_NoMemory();
        return FAILED;
    }
    return OK;
}

void
memo_free(Memo *memo)
{
    Py_CLEAR(memo->ask);
    PyMem_RawFree(memo->memory);
    memo->memory = NULL;
    arena_free(&memo->arena);
}

static inline Span
value_of(const Known *known)
{
    const char *value = is_near(known->key_size, known->value_size)
                            ? known->here + padded(known->key_size)
                            : known->away.value;
    return (Span){value, known->value_size};
}

static inline int
has_key(const Known *known, const char *text, size_t size)
{
    if (known->key_size != size) {
        return 0;
    }
    if (!is_near(size, known->value_size)) {
        return memcmp(known->away.key, text, size) == 0;
    }
    for (size_t at = 0; at < size; at += 8) {
        if (memcmp(known->here + at, text + at, 8) != 0) {
            return 0;
        }
    }
    return 1;
}

/* The place of a text in the table: where it stands, or the free one where it belongs. */
static inline Known *
place_of(const Memo *memo, uint64_t hash, const char *text, size_t size)
{
    size_t mask = memo->capacity - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        Known *known = &memo->table[at];
        if (known->hash == 0 || (known->hash == hash && has_key(known, text, size))) {
            return known;
        }
    }
}

Span
memo_find_padded(const Memo *memo, uint64_t hash, const char *text, size_t size)
{
    const Known *known = place_of(memo, hash, text, size);
    return known->hash ? value_of(known) : NOTHING;
}

/* Give a short text zeros to follow it, in `room`. */
static inline const char *
pad(Span text, char room[NEAR_KEY])
{
    if (text.size > NEAR_KEY) {
        return text.at;
    }
    memset(room, 0, NEAR_KEY);
    memcpy(room, text.at, text.size);
    return room;
}

static inline uint64_t
hash_of(const char *text, size_t size)
{
    return size <= NEAR_KEY ? hash_padded(text, size) : hash_bytes(text, size) | 1;
}

Span
memo_find(const Memo *memo, Span text)
{
    char room[NEAR_KEY];
    const char *key = pad(text, room);
    const Known *known = place_of(memo, hash_of(key, text.size), key, text.size);
    return known->hash ? value_of(known) : NOTHING;
}

static int
grow(Memo *memo)
{
    size_t capacity = memo->capacity * 2;
    void *memory;
    Known *table = new_table(capacity, &memory);
    if (memory == NULL) {
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
    PyMem_RawFree(memo->memory);
    memo->memory = memory;
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

static int
put(Memo *memo, Known *known, const char *key, Span value)
{
    if (is_near(known->key_size, value.size)) {
        memcpy(known->here, key, padded(known->key_size));
        memcpy(known->here + padded(known->key_size), value.at, value.size);
        return OK;
    }
    Span copy;
    if (arena_copy(&memo->arena, key, known->key_size, &copy) < 0) {
        return FAILED;
    }
    known->away.key = copy.at;
    if (arena_copy(&memo->arena, value.at, value.size, &copy) < 0) {
        return FAILED;
    }
    known->away.value = copy.at;
    memo->letters += known->key_size + value.size;
    return OK;
}

static Span
remember(Memo *memo, Span text, Span value)
{
    if (text.size > UINT32_MAX || value.size > UINT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "a text is too long to be remembered");
        return NOTHING;
    }
    if (memo->count >= MOST_KNOWN || memo->letters > MOST_LETTERS) {
        forget(memo);
    }
    if (memo->count * 2 >= memo->capacity && grow(memo) < 0) {
        PyErr_NoMemory();
        return NOTHING;
    }
    char room[NEAR_KEY];
    const char *key = pad(text, room);
    uint64_t hash = hash_of(key, text.size);
    Known *known = place_of(memo, hash, key, text.size);
    if (known->hash == 0) {
        known->key_size = (uint32_t)text.size;
        known->value_size = (uint32_t)value.size;
        if (put(memo, known, key, value) < 0) {
            PyErr_NoMemory();
            return NOTHING;
        }
        known->hash = hash;
        memo->count++;
    }
    return value_of(known);
}

Span
memo_learn(Memo *memo, Span key, Span asked)
{
    PyObject *text = memo->takes_bytes
                         ? PyBytes_FromStringAndSize(asked.at, (Py_ssize_t)asked.size)
                         : PyUnicode_DecodeUTF8(asked.at, (Py_ssize_t)asked.size, NULL);
    if (text == NULL) {
        return NOTHING;
    }
    PyObject *answer = PyObject_CallOneArg(memo->ask, text);
    Py_DECREF(text);
    if (answer == NULL) {
        return NOTHING;
    }
    /* The end of anything but a plain string could run Python, and with it change the table. */
    if (!PyUnicode_CheckExact(answer)) {
        Py_DECREF(answer);
        PyErr_SetString(PyExc_TypeError, "a rule answers with a string");
        return NOTHING;
    }
    Py_ssize_t size;
    const char *letters = PyUnicode_AsUTF8AndSize(answer, &size);
    Span value = letters ? remember(memo, key, (Span){letters, (size_t)size}) : NOTHING;
    Py_DECREF(answer);
    return value;
}
