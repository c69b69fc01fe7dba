/* What to do with each key of a study, as trialyst/registry/walking.py lays it out. */

#ifndef TRIALYST_PLAN_H
#define TRIALYST_PLAN_H

#include "text.h"

/* How the values of a leaf are taken; the numbers are walking.py's. */
enum { AS_TEXT, AS_RAW, AS_FLAG, AS_DATE, AS_AGE, AS_NUMBER, AS_NOTED, HANDLING_COUNT };
enum { KEEP = 16, SPAN = 32, USUAL = 64, ROW = 128, EDGED = 256, AS_WRITTEN = 512, HANDLING = 15 };

struct Branch;

typedef struct {
    Span key;
    /* What holds the letters of the key. */
    PyObject *owner;
    int piece;
    int handling;
    /* Where the size of the list is counted, -1 when it is none. */
    int column;
    struct Branch *inner;
    /* While an object is read: which one, the size of the list, and the value as written. */
    uint64_t object;
    long size;
    Span written;
} Child;

typedef struct Branch {
    Child *child;
    int child_count;
    short *table;
    size_t mask;
    /* The children that make a site what it is; none when objects here are no sites. */
    int *site_child;
    int site_count;
} Branch;

typedef struct {
    PyObject *name;
    Span letters;
} Name;

typedef struct {
    Name name;
    int *member;
    int member_count;
} Group;

typedef struct {
    Branch *root;
    Name *piece;
    unsigned short *handling;
    int piece_count;
    Name *column;
    /* Whether 0 is left unsaid. */
    char *from_zero;
    int column_count;
    Group *group;
    int group_count;
    /* Lists of pieces whose distinct words are written to one field; those that the last of them
       has besides the one before it also to a field of their own. */
    Group *word_list;
    int word_list_count;
    /* The pieces of a row, in order. */
    int *row;
    int row_count;
} Plan;

/* Read the plan; OK, or FAILED with an error set. The tuples must outlive it. */
int plan_read(Plan *plan, PyObject *root, PyObject *names, PyObject *columns, PyObject *groups,
              PyObject *word_lists, PyObject *row);
void plan_free(Plan *plan);

Child *branch_find(const Branch *branch, Span key);

#endif
