/* A strict JSON reader over bytes, with no tree: what it accepts is valid JSON in valid UTF-8, and
   what it does not accept may still be. */

#include "scan.h"

#define DEEPEST 64

char
scan_peek(Scan *scan)
{
    while (scan->at < scan->end) {
        char c = *scan->at;
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
            return c;
        }
        scan->at++;
    }
    return 0;
}

int
scan_is_done(Scan *scan)
{
    /* A zero byte is something, though `scan_peek` gives it as it gives the end. */
    (void)scan_peek(scan);
    return scan->at == scan->end;
}

int
scan_expect(Scan *scan, char wanted)
{
    if (scan_peek(scan) != wanted) {
        return ODD;
    }
    scan->at++;
    return OK;
}

/* The length of the UTF-8 character that begins with a byte beyond ASCII, 0 when it is none. */
static size_t
wide_length(const unsigned char *at, const unsigned char *end)
{
    unsigned char first = at[0];
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || (size_t)(end - at) < length) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    int too_long = (first == 0xe0 && at[1] < 0xa0) || (first == 0xf0 && at[1] < 0x90);
    int surrogate = first == 0xed && at[1] > 0x9f;
    int beyond = first == 0xf4 && at[1] > 0x8f;
    return too_long || surrogate || beyond ? 0 : length;
}

static int
hex_value(const char *at, unsigned *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        unsigned nibble;
        if (c >= '0' && c <= '9') {
            nibble = (unsigned)(c - '0');
        } else if ((c | 32) >= 'a' && (c | 32) <= 'f') {
            nibble = (unsigned)((c | 32) - 'a' + 10);
        } else {
            return ODD;
        }
        *value = *value * 16 + nibble;
    }
    return OK;
}

/* Step over an escape; halves of surrogate pairs are odd unless they make a pair. */
static int
skip_escape(Scan *scan)
{
    const char *at = scan->at + 1;
    if (at >= scan->end) {
        return ODD;
    }
    if (*at != 'u') {
        scan->at += 2;
        return strchr("\"\\/bfnrt", *at) && *at ? OK : ODD;
    }
    unsigned code, low;
    if (scan->end - at < 5 || hex_value(at + 1, &code) != OK) {
        return ODD;
    }
    scan->at += 6;
    if (code < 0xd800 || code > 0xdfff) {
        return OK;
    }
    at = scan->at;
    if (code > 0xdbff || scan->end - at < 6 || at[0] != '\\' || at[1] != 'u'
        || hex_value(at + 2, &low) != OK || low < 0xdc00 || low > 0xdfff) {
        return ODD;
    }
    scan->at += 6;
    return OK;
}

/* Bytes that stand in a string for themselves. */
static inline int
is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

int
scan_string(Scan *scan, Span *raw, int *has_escapes)
{
    if (scan_expect(scan, '"') != OK) {
        return ODD;
    }
    const char *start = scan->at;
    *has_escapes = 0;
    while (scan->at < scan->end) {
        while (scan->at < scan->end && is_plain((unsigned char)*scan->at)) {
            scan->at++;
        }
        if (scan->at == scan->end) {
            return ODD;
        }
        unsigned char c = (unsigned char)*scan->at;
        if (c == '"') {
            *raw = (Span){start, (size_t)(scan->at - start)};
            scan->at++;
            return OK;
        }
        if (c == '\\') {
            *has_escapes = 1;
            if (skip_escape(scan) != OK) {
                return ODD;
            }
        } else if (c < 0x20) {
            return ODD;
        } else {
            size_t length = wide_length((const unsigned char *)scan->at,
                                        (const unsigned char *)scan->end);
            if (!length) {
                return ODD;
            }
            scan->at += length;
        }
    }
    return ODD;
}

static int
skip_digits(Scan *scan)
{
    const char *start = scan->at;
    while (scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9') {
        scan->at++;
    }
    return scan->at > start ? OK : ODD;
}

/* Exponents and numbers of more than 18 digits are odd: not every decoder takes them. */
static int
skip_number(Scan *scan)
{
    if (*scan->at == '-') {
        scan->at++;
    }
    const char *first = scan->at;
    if (skip_digits(scan) != OK || (*first == '0' && scan->at - first > 1)
        || scan->at - first > 18) {
        return ODD;
    }
    if (scan->at < scan->end && *scan->at == '.') {
        scan->at++;
        if (skip_digits(scan) != OK) {
            return ODD;
        }
    }
    return scan->at < scan->end && (*scan->at | 32) == 'e' ? ODD : OK;
}

static int
skip_literal(Scan *scan, const char *literal, size_t size)
{
    if ((size_t)(scan->end - scan->at) < size || memcmp(scan->at, literal, size) != 0) {
        return ODD;
    }
    scan->at += size;
    return OK;
}

int
scan_scalar(Scan *scan, Span *token)
{
    char c = scan_peek(scan);
    const char *start = scan->at;
    int done = ODD;
    if (c == 't') {
        done = skip_literal(scan, "true", 4);
    } else if (c == 'f') {
        done = skip_literal(scan, "false", 5);
    } else if (c == 'n') {
        done = skip_literal(scan, "null", 4);
    } else if (c == '-' || (c >= '0' && c <= '9')) {
        done = skip_number(scan);
    }
    *token = (Span){start, (size_t)(scan->at - start)};
    return done;
}

static int
skip_members(Scan *scan, char closing, int depth)
{
    scan->at++;
    if (scan_peek(scan) == closing) {
        scan->at++;
        return OK;
    }
    for (;;) {
        Span key;
        int has_escapes;
        if (closing == '}'
            && (scan_string(scan, &key, &has_escapes) != OK || scan_expect(scan, ':') != OK)) {
            return ODD;
        }
        if (scan_skip(scan, depth + 1) != OK) {
            return ODD;
        }
        char next = scan_peek(scan);
        if (next != ',' && next != closing) {
            return ODD;
        }
        scan->at++;
        if (next == closing) {
            return OK;
        }
    }
}

int
scan_skip(Scan *scan, int depth)
{
    Span span;
    int has_escapes;
    switch (scan_peek(scan)) {
    case '"':
        return scan_string(scan, &span, &has_escapes);
    case '{':
        return depth > DEEPEST ? ODD : skip_members(scan, '}', depth);
    case '[':
        return depth > DEEPEST ? ODD : skip_members(scan, ']', depth);
    default:
        return scan_scalar(scan, &span);
    }
}

static size_t
put_code(char *out, unsigned code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3f));
    out[2] = (char)(0x80 | (code >> 6 & 0x3f));
    out[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

int
scan_unescape(Span raw, Arena *arena, Span *text)
{
    /* No escape is shorter than what it stands for. */
    char *out = arena_take(arena, raw.size);
    if (out == NULL) {
        return FAILED;
    }
    size_t size = 0;
    for (const char *at = raw.at, *end = raw.at + raw.size; at < end;) {
        if (*at != '\\') {
            out[size++] = *at++;
            continue;
        }
        if (at[1] != 'u') {
            const char *plain = strchr("\"\"\\\\//b\bf\fn\nr\rt\t", at[1]);
            out[size++] = plain[1];
            at += 2;
            continue;
        }
        unsigned code, low;
        (void)hex_value(at + 2, &code);
        at += 6;
        if (code >= 0xd800 && code <= 0xdbff) {
            (void)hex_value(at + 2, &low);
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            at += 6;
        }
        size += put_code(out + size, code);
    }
    *text = (Span){out, size};
    return OK;
}
