/* Reading JSON as plain records write it. ODD means: let the full decoder judge. */

#ifndef TRIALYST_SCAN_H
#define TRIALYST_SCAN_H

#include "text.h"

enum { ODD = 2 };

typedef struct {
    const char *at;
    const char *end;
} Scan;

/* The first character that is not white space, or 0 at the end; it is not consumed. */
char scan_peek(Scan *scan);

/* Whether only white space is left. */
int scan_is_done(Scan *scan);

/* Consume one character that must come next. */
int scan_expect(Scan *scan, char wanted);

/* Consume a string: `raw` is what stands between the quotes. */
int scan_string(Scan *scan, Span *raw, int *has_escapes);

/* Consume a number, true, false or null. */
int scan_scalar(Scan *scan, Span *token);

/* Consume any value. */
int scan_skip(Scan *scan, int depth);

/* Resolve the escapes of a string that `scan_string` accepted. */
int scan_unescape(Span raw, Arena *arena, Span *text);

#endif
