/* Keeps the distinct values of each piece, and those that wait for what only Python can tell. */

#include "lines.h"

static int
grow_lines(Walk *walk, Found *found)
{
    int room = found->line_room ? found->line_room * 2 : 256;
    Line *line = arena_grow(&walk->arena, found->line, found->line_count, room, sizeof(Line));
    if (line == NULL) {
        return FAILED;
    }
    found->line = line;
    found->line_room = room;
    return OK;
}

static int
grow_seen(Walk *walk, const Found *found)
{
    size_t room = walk->seen_room ? walk->seen_room * 2 : 1024;
    Seen *seen = PyMem_RawCalloc(room, sizeof(Seen));
    if (seen == NULL) {
        return FAILED;
    }
    for (size_t i = 0; i < walk->seen_room; i++) {
        Seen one = walk->seen[i];
        if (one.study != walk->study) {
            continue;
        }
        Span raw = found->line[one.line].raw;
        size_t at = (hash_bytes(raw.at, raw.size) + (size_t)found->line[one.line].piece)
                    & (room - 1);
        while (seen[at].study == walk->study) {
            at = (at + 1) & (room - 1);
        }
        seen[at] = one;
    }
    PyMem_RawFree(walk->seen);
    walk->seen = seen;
    walk->seen_room = room;
    return OK;
}

int
add_line(Walk *walk, Found *found, int piece, Span raw, int *index)
{
    if (walk->seen_count * 2 >= walk->seen_room && grow_seen(walk, found) < 0) {
        return FAILED;
    }
    size_t mask = walk->seen_room - 1;
    size_t at = (hash_bytes(raw.at, raw.size) + (size_t)piece) & mask;
    for (; walk->seen[at].study == walk->study; at = (at + 1) & mask) {
        const Line *line = &found->line[walk->seen[at].line];
        if (line->piece == piece && line->raw.size == raw.size
            && memcmp(line->raw.at, raw.at, raw.size) == 0) {
            *index = walk->seen[at].line;
            return 0;
        }
    }
    if (found->line_count == found->line_room && grow_lines(walk, found) < 0) {
        return FAILED;
    }
    *index = found->line_count++;
    walk->seen[at] = (Seen){walk->study, *index};
    walk->seen_count++;
    found->line[*index] = (Line){.piece = piece, .next = -1, .raw = raw};
    Slot *slot = &found->slot[piece];
    if (slot->count++) {
        found->line[slot->last].next = *index;
    } else {
        slot->first = *index;
    }
    slot->last = *index;
    return 1;
}

static int
put_off(Walk *walk, Found *found, int line)
{
    if (walk->pending_count == walk->pending_room) {
        size_t room = walk->pending_room ? walk->pending_room * 2 : 256;
        Pending *grown = PyMem_RawRealloc(walk->pending, room * sizeof(Pending));
        if (grown == NULL) {
            return FAILED;
        }
        walk->pending = grown;
        walk->pending_room = room;
    }
    walk->pending[walk->pending_count++] = (Pending){found, line};
    return OK;
}

static Memo *
memo_of(Walk *walk, int piece)
{
    if (piece == walk->plan.piece_count) {
        return &walk->memo[SITES];
    }
    switch (walk->plan.handling[piece] & HANDLING) {
    case AS_DATE:
        return &walk->memo[DATES];
    case AS_AGE:
        return &walk->memo[AGES];
    case AS_NUMBER:
        return &walk->memo[NUMBERS];
    default:
        return NULL;
    }
}

/* Give a line its value if that can be told without Python. */
static int
settle_line(Walk *walk, Line *line, int may_ask)
{
    Memo *memo = memo_of(walk, line->piece);
    if (memo == NULL) {
        walk->scratch.size = 0;
        int done = words_fold(&walk->words, line->raw, &walk->scratch, may_ask);
        return done == OK ? arena_copy(&walk->arena, walk->scratch.data, walk->scratch.size,
                                       &line->value)
                          : done;
    }
    Span value = memo_find(memo, line->raw);
    if (value.at == NULL && may_ask) {
        /* A site is told apart by some of its members, but made from all of them. */
        Span asked = memo == &walk->memo[SITES] ? line->whole : line->raw;
        value = memo_learn(memo, line->raw, asked);
        if (value.at == NULL) {
            return FAILED;
        }
    }
    if (value.at == NULL) {
        return UNKNOWN_WORD;
    }
    return arena_copy(&walk->arena, value.at, value.size, &line->value);
}

int
take_line(Walk *walk, Found *found, int piece, Span raw, Span whole)
{
    int index;
    int new = add_line(walk, found, piece, raw, &index);
    if (new != 1) {
        return new;
    }
    Line *line = &found->line[index];
    line->whole = whole;
    int done = settle_line(walk, line, 0);
    return done == UNKNOWN_WORD ? put_off(walk, found, index) : done;
}

int
walk_settle(Walk *walk)
{
    for (size_t i = 0; i < walk->pending_count; i++) {
        Pending pending = walk->pending[i];
        if (!pending.found->odd
            && settle_line(walk, &pending.found->line[pending.line], 1) != OK) {
            if (!PyErr_Occurred()) {
                PyErr_NoMemory();
            }
            return FAILED;
        }
    }
    return OK;
}
