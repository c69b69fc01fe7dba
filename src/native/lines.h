/* The distinct values of each piece of a study. */

#ifndef TRIALYST_LINES_H
#define TRIALYST_LINES_H

#include "found.h"

/* The line of a piece with this text, a new one if there is none: 1 new, 0 known, or FAILED. */
int add_line(Walk *walk, Found *found, int piece, Span raw, int *index);

/* Add a line and give it its value, or put it off until Python can be asked. OK or FAILED. */
int take_line(Walk *walk, Found *found, int piece, Span raw, Span whole);

#endif
