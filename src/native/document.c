/* Writes what was found as the members of a JSON object.

   Folded text is letters, digits and spaces, and raw values have no escapes, so all of it stands
   between quotes as it is. One value alone is no list, which the engine reads in less time. */

#include "distinct.h"
#include "found.h"

#include <stdlib.h>

int
begin_member(Text *document, Span name, int is_list)
{
    if ((document->size && text_add(document, ",", 1) < 0) || text_add(document, "\"", 1) < 0
        || text_add(document, name.at, name.size) < 0) {
        return FAILED;
    }
    return text_add(document, "\":[", is_list ? 3 : 2);
}

static int
end_member(Text *document, int is_list)
{
    return is_list ? text_add(document, "]", 1) : OK;
}

/* Make the member that was begun at `start` and has one value no list. */
static void
drop_bracket(Text *document, size_t start)
{
    char *bracket = memchr(document->data + start, '[', document->size - start);
    size_t behind = (size_t)(document->data + document->size - bracket) - 1;
    memmove(bracket, bracket + 1, behind);
    document->size--;
}

static int
add_value(Text *document, Span value, int is_first, int quoted)
{
    if ((!is_first && text_add(document, ",", 1) < 0)
        || (quoted && text_add(document, "\"", 1) < 0)
        || text_add(document, value.at, value.size) < 0) {
        return FAILED;
    }
    return quoted ? text_add(document, "\"", 1) : OK;
}

/* Add one of several texts, kept apart from the one before it. */
static int
add_text(Text *document, Span value, int is_first)
{
    static const char gap[] = VALUE_GAP;
    if ((!is_first && text_add(document, ",", 1) < 0) || text_add(document, "\"", 1) < 0
        || (!is_first && text_add(document, gap, sizeof gap - 1) < 0)
        || text_add(document, value.at, value.size) < 0) {
        return FAILED;
    }
    return text_add(document, "\"", 1);
}

int
begin_edged(Text *document, int is_first)
{
    static const char before[] = "\"" EDGE_BEFORE, between[] = ",\"" EDGE_BETWEEN;
    return is_first ? text_add(document, before, sizeof before - 1)
                    : text_add(document, between, sizeof between - 1);
}

int
end_edged(Text *document, int is_last)
{
    static const char after[] = EDGE_AFTER "\"";
    return is_last ? text_add(document, after, sizeof after - 1) : text_add(document, "\"", 1);
}

static int
add_edged(Text *document, Span value, int is_first, int is_last)
{
    if (begin_edged(document, is_first) < 0 || text_add(document, value.at, value.size) < 0) {
        return FAILED;
    }
    return end_edged(document, is_last);
}

static int
add_number(Text *document, long long number, int is_first)
{
    char digits[32];
    int size = PyOS_snprintf(digits, sizeof digits, "%lld", number);
    return add_value(document, (Span){digits, (size_t)size}, is_first, 0);
}

/* Add one of so many values of a piece: a text that was folded, or the value as it is. */
static int
add_piece_value(Text *document, Span value, int handling, int number, int all)
{
    if ((handling & HANDLING) != AS_TEXT) {
        return add_value(document, value, number == 0, 1);
    }
    return handling & EDGED ? add_edged(document, value, number == 0, number == all - 1)
                            : add_text(document, value, number == 0);
}

static int
write_values(const Found *found, const Slot *slot, Span name, int handling, Text *document)
{
    int all = 0, written = 0;
    for (int i = slot->count ? slot->first : -1; i >= 0; i = found->line[i].next) {
        all += found->line[i].value.size != 0;
    }
    if (all == 0) {
        return OK;
    }
    if (begin_member(document, name, all > 1) < 0) {
        return FAILED;
    }
    for (int i = slot->first; i >= 0; i = found->line[i].next) {
        Span value = found->line[i].value;
        if (value.size == 0) {
            continue;
        }
        if (add_piece_value(document, value, handling, written++, all) < 0) {
            return FAILED;
        }
    }
    return end_member(document, all > 1);
}

static int
compare_numbers(const void *one, const void *other)
{
    long long a = *(const long long *)one, b = *(const long long *)other;
    return (a > b) - (a < b);
}

int
slot_numbers(const Found *found, const Slot *slot, Text *numbers)
{
    numbers->size = 0;
    for (int i = slot->count ? slot->first : -1; i >= 0; i = found->line[i].next) {
        Span value = found->line[i].value;
        char digits[32];
        if (value.size == 0 || value.size >= sizeof digits) {
            continue;
        }
        memcpy(digits, value.at, value.size);
        digits[value.size] = 0;
        long long number = strtoll(digits, NULL, 10);
        if (text_add(numbers, (const char *)&number, sizeof number) < 0) {
            return FAILED;
        }
    }
    long long *number = (long long *)numbers->data;
    int all = (int)(numbers->size / sizeof *number);
    if (all > 1) {
        qsort(number, (size_t)all, sizeof *number, compare_numbers);
    }
    int distinct = 0;
    for (int i = 0; i < all; i++) {
        if (!distinct || number[distinct - 1] != number[i]) {
            number[distinct++] = number[i];
        }
    }
    return distinct;
}

static int
write_numbers(const Found *found, const Slot *slot, Span name, Text *document, Text *numbers)
{
    int count = slot_numbers(found, slot, numbers);
    if (count <= 0) {
        return count;
    }
    if (begin_member(document, name, count > 1) < 0) {
        return FAILED;
    }
    for (int i = 0; i < count; i++) {
        if (add_number(document, ((long long *)numbers->data)[i], i == 0) < 0) {
            return FAILED;
        }
    }
    return end_member(document, count > 1);
}

static int
write_pieces(const Walk *walk, const Found *found, Text *document, Text *numbers)
{
    for (int i = 0; i < walk->plan.piece_count; i++) {
        const Slot *slot = &found->slot[i];
        if (!slot->count) {
            continue;
        }
        int handling = walk->plan.handling[i] & HANDLING;
        Span name = walk->plan.piece[i].letters;
        int as_numbers = handling == AS_DATE || handling == AS_AGE || handling == AS_NUMBER;
        int done = as_numbers ? write_numbers(found, slot, name, document, numbers)
                              : write_values(found, slot, name, walk->plan.handling[i], document);
        if (done < 0) {
            return FAILED;
        }
    }
    return OK;
}

static size_t
count_lines(const Found *found, const Group *group)
{
    size_t lines = 0;
    for (int i = 0; i < group->member_count; i++) {
        lines += (size_t)found->slot[group->member[i]].count;
    }
    return lines;
}

static int
write_group(const Found *found, const Group *group, Text *document, Text *table)
{
    size_t mask;
    int written = 0;
    size_t start = document->size;
    if (clear_table(count_lines(found, group), table, &mask) < 0) {
        return FAILED;
    }
    for (int m = 0; m < group->member_count; m++) {
        const Slot *slot = &found->slot[group->member[m]];
        for (int i = slot->count ? slot->first : -1; i >= 0; i = found->line[i].next) {
            Span value = found->line[i].value;
            if (value.size == 0 || !is_first(table, mask, value)) {
                continue;
            }
            if ((!written && begin_member(document, group->name.letters, 1) < 0)
                || add_text(document, value, !written) < 0) {
                return FAILED;
            }
            written++;
        }
    }
    if (written == 1) {
        drop_bracket(document, start);
    }
    return end_member(document, written > 1);
}

static int
write_sizes(const Walk *walk, const Found *found, Text *document)
{
    for (int i = 0; i < walk->plan.column_count; i++) {
        const Sizes *sizes = &found->sizes[i];
        int is_zero = sizes->count == 1 && sizes->size[0] == 0;
        if (sizes->count == 0 || (is_zero && walk->plan.from_zero[i])) {
            continue;
        }
        if (begin_member(document, walk->plan.column[i].letters, sizes->count > 1) < 0) {
            return FAILED;
        }
        for (int n = 0; n < sizes->count; n++) {
            if (add_number(document, sizes->size[n], n == 0) < 0) {
                return FAILED;
            }
        }
        if (end_member(document, sizes->count > 1) < 0) {
            return FAILED;
        }
    }
    return OK;
}

/* A site's value is its id and that of its place, with a comma between them. */
static int
write_sites(const Walk *walk, const Found *found, Text *document, Text *table)
{
    size_t mask;
    static const Span name = {"site", 4};
    const Slot *slot = &found->slot[walk->plan.piece_count];
    size_t start = document->size;
    int written = 0;
    if (!slot->count) {
        return OK;
    }
    if (clear_table((size_t)slot->count * 2, table, &mask) < 0
        || begin_member(document, name, 1) < 0) {
        return FAILED;
    }
    for (int i = slot->first; i >= 0; i = found->line[i].next) {
        Span rest = found->line[i].value;
        while (rest.size) {
            /* What is written in two ways may be the same site, and places have many sites. */
            Span id = take_part(&rest, ',');
            if (is_first(table, mask, id) && add_value(document, id, !written++, 0) < 0) {
                return FAILED;
            }
        }
    }
    if (written == 1) {
        drop_bracket(document, start);
    }
    return end_member(document, written > 1);
}

int
write_row(const Walk *walk, const Found *found, Text *row)
{
    row->size = 0;
    for (int i = 0; i < walk->plan.row_count; i++) {
        int written = 0;
        if ((i && text_add(row, ",", 1) < 0) || text_add(row, "[", 1) < 0) {
            return FAILED;
        }
        for (int c = 0; c < found->cell_count; c++) {
            if (found->cell[c].piece == walk->plan.row[i]
                && add_value(row, found->cell[c].token, !written++, 0) < 0) {
                return FAILED;
            }
        }
        if (text_add(row, "]", 1) < 0) {
            return FAILED;
        }
    }
    return OK;
}

int
write_document(const Walk *walk, const Found *found, Text *document, Text *scratch)
{
    document->size = 0;
    if (write_pieces(walk, found, document, scratch) < 0
        || write_as_written(walk, found, document, scratch) < 0) {
        return FAILED;
    }
    for (int i = 0; i < walk->plan.group_count; i++) {
        if (write_group(found, &walk->plan.group[i], document, scratch) < 0) {
            return FAILED;
        }
    }
    if (write_word_lists(walk, found, document, scratch) < 0
        || write_sizes(walk, found, document) < 0) {
        return FAILED;
    }
    return write_sites(walk, found, document, scratch);
}
