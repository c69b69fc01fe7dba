/* A set of texts, to write each of them once. */

#ifndef TRIALYST_DISTINCT_H
#define TRIALYST_DISTINCT_H

#include "text.h"

/* Make room in `table` for so many values, twice over; the mask of its places. */
static inline int
clear_table(size_t values, Text *table, size_t *mask)
{
    size_t room = 8;
    while (room < values * 2) {
        room *= 2;
    }
    *mask = room - 1;
    table->size = 0;
    return text_add_zeros(table, room * sizeof(Span));
}

/* Whether no value in the table is this one; then it is put there. */
static inline int
is_first(const Text *table, size_t mask, Span value)
{
    Span *known = (Span *)table->data;
    size_t at = hash_bytes(value.at, value.size) & mask;
    for (; known[at].at; at = (at + 1) & mask) {
        if (known[at].size == value.size && memcmp(known[at].at, value.at, value.size) == 0) {
            return 0;
        }
    }
    known[at] = value;
    return 1;
}

/* Take the part of a text before the next mark; of nothing left, nothing. */
static inline Span
take_part(Span *text, char mark)
{
    const char *end = text->size ? memchr(text->at, mark, text->size) : NULL;
    Span part = {text->at, end ? (size_t)(end - text->at) : text->size};
    size_t taken = part.size + (end != NULL);
    *text = (Span){text->at + taken, text->size - taken};
    return part;
}

#endif
