/* Writes the words of pieces, each as often as lists of pieces have it. */

#include "distinct.h"
#include "found.h"

static size_t
count_words(const Found *found, const Group *list)
{
    size_t words = 0;
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
    return words;
}

/* Add the words of a list that the table does not have, each once and with a space after it. */
static int
add_words(const Found *found, const Group *list, Text *document, const Text *table, size_t mask)
{
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
    return OK;
}

/* Begin a member that is one text; it ends where `end_text` says. */
static int
begin_text(Text *document, const Group *list)
{
    return begin_member(document, list->name.letters, 0) < 0 ? FAILED : text_add(document, "\"", 1);
}

/* The space after the last word makes room for the quote. */
static void
end_text(Text *document)
{
    document->data[document->size - 1] = '"';
}

/* Write the words that were written last, from a place of the document on, a second time. */
static int
write_again(Text *document, size_t from, size_t to, const Group *list)
{
    if (begin_text(document, list) < 0 || text_reserve(document, to - from) < 0) {
        return FAILED;
    }
    memcpy(document->data + document->size, document->data + from, to - from);
    document->size += to - from;
    end_text(document);
    return OK;
}

int
write_word_lists(const Walk *walk, const Found *found, Text *document, Text *table)
{
    const Group *list = walk->plan.word_list;
    int last = walk->plan.word_list_count - 1;
    size_t start = document->size;
    if (last < 1 || begin_text(document, list) < 0) {
        return last < 1 ? OK : FAILED;
    }
    size_t begun = document->size, plain = begun, mask = 0;
    for (int w = 0; w <= last; w++) {
        if (w < last) {
            /* What the last list has besides must find room in the table of the one before it. */
            size_t more = w == last - 1 ? count_words(found, &list[last]) : 0;
            if (clear_table(count_words(found, &list[w]) + more, table, &mask) < 0) {
                return FAILED;
            }
        } else {
            plain = document->size;
        }
        if (add_words(found, &list[w], document, table, mask) < 0) {
            return FAILED;
        }
    }
    size_t end = document->size;
    if (end == begun) {
        document->size = start;
        return OK;
    }
    end_text(document);
    return end > plain ? write_again(document, plain, end, &list[last]) : OK;
}
