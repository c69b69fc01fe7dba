/* Writes the words and marks of pieces as they are written; trialyst/registry/written.py says what
   they are and does the same in Python, to the same bytes. */

#include "found.h"

enum { WORD, SPACE, MARK, IRREGULAR };

/* Characters beyond ASCII that end a word, when it is folded too; written.py has the same. */
static const Py_UCS4 SEPARATORS[] = {
    0x00ae, 0x00b0, 0x00b1, 0x00b7, 0x00d7, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014,
    0x2015, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2026, 0x2264, 0x2265,
};

static int
classify(Py_UCS4 letter)
{
    if (letter < 0x80) {
        if (letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r') {
            return SPACE;
        }
        if (Py_UNICODE_ISALNUM(letter)) {
            return WORD;
        }
        return letter > ' ' && letter < 0x7f ? MARK : IRREGULAR;
    }
    if (letter == 0xa0) {
        return SPACE;
    }
    for (size_t i = 0; i < sizeof SEPARATORS / sizeof *SEPARATORS; i++) {
        if (letter == SEPARATORS[i]) {
            return MARK;
        }
    }
    return Py_UNICODE_ISALNUM(letter) ? WORD : IRREGULAR;
}

/* One character of UTF-8: what it is, and how many bytes it takes. */
static int
look(const char *at, const char *end, size_t *size)
{
    unsigned char first = (unsigned char)*at;
    *size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if ((size_t)(end - at) < *size) {
        *size = 1;
        return IRREGULAR;
    }
    Py_UCS4 letter = *size == 1 ? first : first & (0xffu >> (*size + 1));
    for (size_t i = 1; i < *size; i++) {
        letter = letter << 6 | ((unsigned char)at[i] & 0x3f);
    }
    return classify(letter);
}

/* Whether only spaces are left. */
static int
is_end(const char *at, const char *end)
{
    size_t size;
    while (at < end && look(at, end, &size) == SPACE) {
        at += size;
    }
    return at >= end;
}

static int
add_mark(Text *document, Span mark, int spaces)
{
    char begun[] = {'_', (char)('0' + spaces), '\\'};
    int is_escaped = mark.at[0] == '"' || mark.at[0] == '\\';
    return text_add(document, begun, is_escaped ? 3 : 2) < 0 ? FAILED
                                                             : text_add(document, mark.at, mark.size);
}

/* Add the words and marks of a text in which nothing is irregular. */
static int
add_tokens(Text *document, Span text)
{
    const char *at = text.at, *end = at + text.size;
    int is_spaced = 0, has_begun = 0;
    while (at < end) {
        size_t size;
        int kind = look(at, end, &size);
        if (kind == SPACE) {
            is_spaced = has_begun;
            at += size;
            continue;
        }
        const char *from = at;
        at += size;
        while (kind == WORD && at < end && look(at, end, &size) == WORD) {
            at += size;
        }
        if (has_begun && text_add(document, " ", 1) < 0) {
            return FAILED;
        }
        Span token = {from, (size_t)(at - from)};
        int spaces = is_spaced;
        if (kind == MARK && at < end && look(at, end, &size) == SPACE && !is_end(at, end)) {
            spaces |= 2;
        }
        if ((kind == WORD ? text_add(document, token.at, token.size)
                          : add_mark(document, token, spaces)) < 0) {
            return FAILED;
        }
        has_begun = 1;
        is_spaced = 0;
    }
    return OK;
}

static int
is_irregular(Span text)
{
    const char *end = text.at + text.size;
    size_t size;
    for (const char *at = text.at; at < end; at += size) {
        if (look(at, end, &size) == IRREGULAR) {
            return 1;
        }
    }
    return 0;
}

static int
begin_written(Text *document, Span name, int is_list)
{
    static const char begun[] = ",\"written_";
    size_t skipped = document->size == 0;
    if (text_add(document, begun + skipped, sizeof begun - 1 - skipped) < 0
        || text_add(document, name.at, name.size) < 0) {
        return FAILED;
    }
    return text_add(document, "\":[", is_list ? 3 : 2);
}

/* Count the values of a slot that are regular, or those that are not. */
static int
count_values(const Found *found, const Slot *slot, int irregular)
{
    int count = 0;
    for (int i = slot->count ? slot->first : -1; i >= 0; i = found->line[i].next) {
        const Line *line = &found->line[i];
        count += line->value.size && is_irregular(line->raw) == irregular;
    }
    return count;
}

static int
write_slot(const Found *found, const Slot *slot, Span name, Text *document)
{
    int all = count_values(found, slot, 0), written = 0;
    if (all == 0) {
        return OK;
    }
    if (begin_written(document, name, all > 1) < 0) {
        return FAILED;
    }
    for (int i = slot->first; i >= 0; i = found->line[i].next) {
        const Line *line = &found->line[i];
        if (line->value.size == 0 || is_irregular(line->raw)) {
            continue;
        }
        if (begin_edged(document, written == 0) < 0 || add_tokens(document, line->raw) < 0
            || end_edged(document, ++written == all) < 0) {
            return FAILED;
        }
    }
    return all > 1 ? text_add(document, "]", 1) : OK;
}

static int
add_name(Text *names, Span name)
{
    return names->size && text_add(names, " ", 1) < 0 ? FAILED
                                                      : text_add(names, name.at, name.size);
}

int
write_as_written(const Walk *walk, const Found *found, Text *document, Text *names)
{
    static const Span irregular = {"irregular", 9};
    names->size = 0;
    for (int i = 0; i < walk->plan.piece_count; i++) {
        const Slot *slot = &found->slot[i];
        Span name = walk->plan.piece[i].letters;
        if (!(walk->plan.handling[i] & AS_WRITTEN)) {
            continue;
        }
        if (write_slot(found, slot, name, document) < 0
            || (count_values(found, slot, 1) && add_name(names, name) < 0)) {
            return FAILED;
        }
    }
    if (names->size == 0) {
        return OK;
    }
    if (begin_member(document, irregular, 0) < 0 || text_add(document, "\"", 1) < 0
        || text_add(document, names->data, names->size) < 0) {
        return FAILED;
    }
    return text_add(document, "\"", 1);
}
