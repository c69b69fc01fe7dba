/* What a Python function said about each text it was asked about. */

#ifndef TRIALYST_MEMO_H
#define TRIALYST_MEMO_H

#include "text.h"

/* Texts up to this size are looked up fastest. */
#define NEAR_KEY 40
#define NEAR_ROOM 48

/* One line of the processor's cache: most keys and answers stand in the table itself. */
typedef struct {
    uint64_t hash;
    uint32_t key_size;
    uint32_t value_size;
    union {
        char here[NEAR_ROOM];
        /* The key, filled up with zeros to a multiple of 8, then the value. */
        struct {
            const char *key;
            const char *value;
        } away;
    };
} Known;

typedef struct {
    PyObject *ask;
    int takes_bytes;
    void *memory;
    Known *table;
    size_t capacity;
    size_t count;
    size_t letters;
    Arena arena;
} Memo;

/* `ask` gives a string for a string, or for bytes. OK, or FAILED with an error set. */
int memo_start(Memo *memo, PyObject *ask, int takes_bytes);
void memo_free(Memo *memo);

/* Look a text up without Python's lock; what is given has no address when it is not known. */
Span memo_find(const Memo *memo, Span text);

/* The same for a text of at most NEAR_KEY bytes that zeros follow up to a multiple of 8, whose hash
   is known. */
Span memo_find_padded(const Memo *memo, uint64_t hash, const char *text, size_t size);

/* 0 marks a free place. */
static inline uint64_t
hash_padded(const char *text, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u ^ size;
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word;
        memcpy(&word, text + at, 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (hash ^ hash >> 32) | 1;
}

/* Have the place of a hash brought near while other work is done. */
static inline void
memo_fetch(const Memo *memo, uint64_t hash)
{
#ifdef __GNUC__
    __builtin_prefetch(&memo->table[hash & (memo->capacity - 1)]);
#else
    (void)memo;
    (void)hash;
#endif
}

/* Ask about a text and remember the answer for a key; needs Python's lock. What was given before
   may be gone. Nothing with an error set when the function fails. */
Span memo_learn(Memo *memo, Span key, Span asked);

#endif
