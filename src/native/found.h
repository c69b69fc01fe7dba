/* What was found in one study, before it is written out. */

#ifndef TRIALYST_FOUND_H
#define TRIALYST_FOUND_H

#include "folder.h"
#include "plan.h"
#include "scan.h"

/* What stands between two values of a text; schema.py has the same. */
#define VALUE_GAP "| | | | "
/* How the first value of a text with edges begins, any other, and how the last ends; schema.py has
   the same. */
#define EDGE_BEFORE "^ | | "
#define EDGE_BETWEEN "| ^ | | "
#define EDGE_AFTER " | | ^"

/* One value of a piece. Of a text `raw` is what was written and `value` what it folds to; of a
   date, age or number `value` is its key; of a site `raw` tells it from others, `whole` is the
   JSON, `value` its id. An empty value is left out. */
typedef struct {
    int piece;
    int next;
    Span raw;
    Span whole;
    Span value;
} Line;

typedef struct {
    int first;
    int last;
    int count;
    char stated;
    char is_struct;
    char unreadable;
    Span span;
} Slot;

/* A value of a row's piece, as written. */
typedef struct {
    int piece;
    Span token;
} Cell;

typedef struct {
    long *size;
    int count;
    int room;
    long total;
} Sizes;

typedef struct {
    int odd;
    /* One for each piece, and a last one for sites. */
    Slot *slot;
    Sizes *sizes;
    Line *line;
    int line_count;
    int line_room;
    Cell *cell;
    int cell_count;
    int cell_room;
} Found;

typedef struct {
    Found *found;
    int line;
} Pending;

typedef struct {
    uint64_t study;
    int line;
} Seen;

enum { DATES, AGES, NUMBERS, SITES, MEMO_COUNT };

/* The state of a walk through many studies. */
typedef struct {
    Plan plan;
    Words words;
    Memo memo[MEMO_COUNT];
    Arena arena;
    Text scratch;
    Pending *pending;
    size_t pending_count;
    size_t pending_room;
    Seen *seen;
    size_t seen_room;
    size_t seen_count;
    uint64_t study;
    uint64_t object;
} Walk;

/* Walk through a study, without Python's lock. OK with `found->odd` set when only the full decoder
   can judge it; FAILED when memory is out. */
int walk_study(Walk *walk, Span json, Found *found);

/* Learn what could not be told without Python, with its lock. FAILED with an error set. */
int walk_settle(Walk *walk);

/* Begin a member of the document with a quote-free name; FAILED when memory is out. */
int begin_member(Text *document, Span name, int is_list);

/* Write the members of the document; `scratch` is room to work in. FAILED when memory is out. */
int write_document(const Walk *walk, const Found *found, Text *document, Text *scratch);

/* Add the lists of words to the members of the document; `table` is room to work in. FAILED when
   memory is out. */
int write_word_lists(const Walk *walk, const Found *found, Text *document, Text *table);

/* Begin and end a value with edges; FAILED when memory is out. */
int begin_edged(Text *document, int is_first);
int end_edged(Text *document, int is_last);

/* Add the words of pieces as they are written to the members of the document. FAILED when memory is
   out. */
int write_as_written(const Walk *walk, const Found *found, Text *document, Text *names);

/* Write the values of the row's pieces, a list of JSON for each. FAILED when memory is out. */
int write_row(const Walk *walk, const Found *found, Text *row);

/* Put the numbers of a slot into `numbers` as long long, ascending and distinct; how many, or
   FAILED. */
int slot_numbers(const Found *found, const Slot *slot, Text *numbers);

#endif
