/* What a Python function said about each text it was asked about. */

#ifndef TRIALYST_MEMO_H
#define TRIALYST_MEMO_H

#include "text.h"

typedef struct {
    uint64_t hash;
    Span key;
    Span value;
} Known;

typedef struct {
    PyObject *ask;
    int takes_bytes;
    Known *table;
    size_t capacity;
    size_t count;
    size_t letters;
    Arena arena;
} Memo;

/* `ask` gives a string for a string, or for bytes. OK, or FAILED with an error set. */
int memo_start(Memo *memo, PyObject *ask, int takes_bytes);
void memo_free(Memo *memo);

/* Look a text up without Python's lock; NULL when it is not known. */
const Span *memo_find(const Memo *memo, const char *text, size_t size);

/* Ask about a text and remember the answer for a key; needs Python's lock. What `memo_find` gave
   before may be gone. NULL with an error set when the function fails. */
const Span *memo_learn(Memo *memo, Span key, Span asked);

#endif
