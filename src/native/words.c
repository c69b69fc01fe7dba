/* Writes lists of the distinct words of some pieces. */

#include "distinct.h"
#include "found.h"

static size_t
count_words(const Walk *walk, const Found *found)
{
    size_t words = 0;
    for (int w = 0; w < walk->plan.word_list_count; w++) {
        const Group *list = &walk->plan.word_list[w];
        for (int m = 0; m < list->member_count; m++) {
            const Slot *slot = &found->slot[list->member[m]];
            for (int i = slot->count ? slot->first : -1; i >= 0; i = found->line[i].next) {
                Span value = found->line[i].value;
                words += value.size != 0;
                for (size_t at = 0; at < value.size; at++) {
                    words += value.at[at] == ' ';
                }
            }
        }
    }
    return words;
}

/* Write the words that are in no list before this one, each once, as one text. */
static int
write_word_list(const Found *found, const Group *list, Text *document, const Text *table,
                size_t mask)
{
    size_t start = document->size;
    if (begin_member(document, list->name.letters, 0) < 0 || text_add(document, "\"", 1) < 0) {
        return FAILED;
    }
    size_t begun = document->size;
    for (int m = 0; m < list->member_count; m++) {
        const Slot *slot = &found->slot[list->member[m]];
        for (int i = slot->count ? slot->first : -1; i >= 0; i = found->line[i].next) {
            Span rest = found->line[i].value;
            while (rest.size) {
                Span word = take_part(&rest, ' ');
                if (is_first(table, mask, word)
                    && (text_add(document, word.at, word.size) < 0
                        || text_add(document, " ", 1) < 0)) {
                    return FAILED;
                }
            }
        }
    }
    if (document->size == begun) {
        document->size = start;
    } else {
        document->data[document->size - 1] = '"';
    }
    return OK;
}

int
write_word_lists(const Walk *walk, const Found *found, Text *document, Text *table)
{
    size_t mask;
    if (clear_table(count_words(walk, found), table, &mask) < 0) {
        return FAILED;
    }
    for (int w = 0; w < walk->plan.word_list_count; w++) {
        if (write_word_list(found, &walk->plan.word_list[w], document, table, mask) < 0) {
            return FAILED;
        }
    }
    return OK;
}
