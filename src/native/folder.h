/* Text to folded words. */

#ifndef TRIALYST_FOLDER_H
#define TRIALYST_FOLDER_H

#include "memo.h"

enum { UNKNOWN_WORD = 1 };

typedef struct {
    Memo words;
} Words;

/* To be called once, before anything else. */
void words_prepare(void);

/* Append the folded words of a text in UTF-8, one space between them. Without `may_ask` no Python
   runs, and UNKNOWN_WORD comes back where it would have to; what was appended is then of no use. */
int words_fold(Words *words, Span text, Text *into, int may_ask);

extern PyTypeObject FolderType;

#endif
