/* Walks through the JSON of a study along the plan. */

#include "lines.h"

/* Keep a value for the study's row, if its piece is in it. */
static int
take_cell(Walk *walk, Found *found, const Child *child, Span token)
{
    if (!(child->handling & ROW)) {
        return OK;
    }
    if (found->cell_count == found->cell_room) {
        int room = found->cell_room ? found->cell_room * 2 : 64;
        Cell *cell = arena_grow(&walk->arena, found->cell, found->cell_count, room, sizeof(Cell));
        if (cell == NULL) {
            return FAILED;
        }
        found->cell = cell;
        found->cell_room = room;
    }
    found->cell[found->cell_count++] = (Cell){child->piece, token};
    return OK;
}

/* Take a string as its piece wants it; `raw` is what stands between the quotes. */
static int
take_string(Walk *walk, Found *found, const Child *child, Span raw, int has_escapes)
{
    if (raw.size == 0) {
        return OK;
    }
    found->slot[child->piece].stated = 1;
    if (take_cell(walk, found, child, (Span){raw.at - 1, raw.size + 2}) < 0) {
        return FAILED;
    }
    Span text = raw;
    switch (child->handling & HANDLING) {
    case AS_RAW: {
        if (has_escapes) {
            return ODD;
        }
        int index;
        int new = add_line(walk, found, child->piece, raw, &index);
        if (new == 1) {
            found->line[index].value = raw;
        }
        return new < 0 ? FAILED : OK;
    }
    case AS_TEXT:
    case AS_DATE:
    case AS_AGE:
        if (has_escapes && scan_unescape(raw, &walk->arena, &text) < 0) {
            return FAILED;
        }
        return take_line(walk, found, child->piece, text, text);
    case AS_NOTED:
        return OK;
    default:
        found->slot[child->piece].unreadable = 1;
        return OK;
    }
}

static int
take_scalar(Walk *walk, Found *found, const Child *child, Span token)
{
    char first = token.at[0];
    if (first == 'n') {
        return OK;
    }
    found->slot[child->piece].stated = 1;
    if (take_cell(walk, found, child, token) < 0) {
        return FAILED;
    }
    int is_number = first != 't' && first != 'f';
    int handling = child->handling & HANDLING;
    if (handling == AS_NOTED) {
        return OK;
    }
    if ((is_number && handling == AS_FLAG) || (!is_number && handling == AS_NUMBER)) {
        found->slot[child->piece].unreadable = 1;
        return OK;
    }
    switch (handling) {
    case AS_TEXT:
        /* How Python writes other numbers is Python's to say. */
        for (size_t i = 0; i < token.size; i++) {
            if (token.at[i] < '0' || token.at[i] > '9') {
                return ODD;
            }
        }
        return take_line(walk, found, child->piece, token, token);
    case AS_NUMBER:
        return take_line(walk, found, child->piece, token, token);
    case AS_FLAG: {
        int index;
        int new = add_line(walk, found, child->piece, token, &index);
        if (new == 1) {
            found->line[index].value = token;
        }
        return new < 0 ? FAILED : OK;
    }
    default:
        found->slot[child->piece].unreadable = 1;
        return OK;
    }
}

static int
walk_leaf(Walk *walk, Found *found, const Child *child, Scan *scan)
{
    Span span;
    char next = scan_peek(scan);
    if (next == '"') {
        int has_escapes;
        int done = scan_string(scan, &span, &has_escapes);
        return done == OK ? take_string(walk, found, child, span, has_escapes) : done;
    }
    if (next == '{' || next == '[') {
        found->slot[child->piece].stated = 1;
        return (child->handling & HANDLING) == AS_NOTED ? scan_skip(scan, 0) : ODD;
    }
    int done = scan_scalar(scan, &span);
    return done == OK ? take_scalar(walk, found, child, span) : done;
}

static int walk_object(Walk *walk, Found *found, Branch *branch, Scan *scan);

static int
walk_struct(Walk *walk, Found *found, const Child *child, Scan *scan)
{
    Slot *slot = &found->slot[child->piece];
    char next = scan_peek(scan);
    if (next == '{') {
        slot->is_struct = 1;
        return walk_object(walk, found, child->inner, scan);
    }
    if (next != 'n') {
        slot->unreadable = 1;
    }
    return scan_skip(scan, 0);
}

static int
walk_one(Walk *walk, Found *found, const Child *child, Scan *scan)
{
    return child->inner ? walk_struct(walk, found, child, scan)
                        : walk_leaf(walk, found, child, scan);
}

static int
walk_list(Walk *walk, Found *found, Child *child, Scan *scan)
{
    scan->at++;
    if (scan_peek(scan) == ']') {
        scan->at++;
        return OK;
    }
    for (;;) {
        int done = walk_one(walk, found, child, scan);
        if (done != OK) {
            return done;
        }
        child->size++;
        char next = scan_peek(scan);
        if (next != ',' && next != ']') {
            return ODD;
        }
        scan->at++;
        if (next == ']') {
            return OK;
        }
    }
}

static int
add_size(Walk *walk, Sizes *sizes, long size)
{
    sizes->total += size;
    int at = 0;
    while (at < sizes->count && sizes->size[at] < size) {
        at++;
    }
    if (at < sizes->count && sizes->size[at] == size) {
        return OK;
    }
    if (sizes->count == sizes->room) {
        int room = sizes->room ? sizes->room * 2 : 4;
        long *grown = arena_grow(&walk->arena, sizes->size, sizes->count, room, sizeof(long));
        if (grown == NULL) {
            return FAILED;
        }
        sizes->size = grown;
        sizes->room = room;
    }
    memmove(sizes->size + at + 1, sizes->size + at,
            (size_t)(sizes->count - at) * sizeof(long));
    sizes->size[at] = size;
    sizes->count++;
    return OK;
}

static int
take_site(Walk *walk, Found *found, const Branch *branch, uint64_t object, Span whole)
{
    walk->scratch.size = 0;
    for (int i = 0; i < branch->site_count; i++) {
        const Child *child = &branch->child[branch->site_child[i]];
        if ((child->object == object
             && text_add(&walk->scratch, child->written.at, child->written.size) < 0)
            || text_add(&walk->scratch, "\x1f", 1) < 0) {
            return FAILED;
        }
    }
    Span raw;
    if (arena_copy(&walk->arena, walk->scratch.data, walk->scratch.size, &raw) < 0) {
        return FAILED;
    }
    return take_line(walk, found, walk->plan.piece_count, raw, whole);
}

/* Read one member whose key is known. */
static int
walk_member(Walk *walk, Found *found, Child *child, Scan *scan)
{
    char next = scan_peek(scan);
    const char *start = scan->at;
    child->size = 0;
    int done = next == '[' ? walk_list(walk, found, child, scan)
                           : walk_one(walk, found, child, scan);
    child->written = (Span){start, (size_t)(scan->at - start)};
    if (child->handling & SPAN) {
        found->slot[child->piece].span = child->written;
    }
    return done;
}

static int
walk_members(Walk *walk, Found *found, Branch *branch, uint64_t object, Scan *scan)
{
    if (scan_peek(scan) == '}') {
        scan->at++;
        return OK;
    }
    for (;;) {
        Span key;
        int has_escapes;
        if (scan_string(scan, &key, &has_escapes) != OK || has_escapes
            || scan_expect(scan, ':') != OK) {
            return ODD;
        }
        Child *child = branch_find(branch, key);
        /* Of a key that comes twice the full decoder takes the last. */
        if (child && child->object == object) {
            return ODD;
        }
        if (child) {
            child->object = object;
        }
        int done = child ? walk_member(walk, found, child, scan) : scan_skip(scan, 0);
        if (done != OK) {
            return done;
        }
        char next = scan_peek(scan);
        if (next != ',' && next != '}') {
            return ODD;
        }
        scan->at++;
        if (next == '}') {
            return OK;
        }
    }
}

static int
walk_object(Walk *walk, Found *found, Branch *branch, Scan *scan)
{
    uint64_t object = ++walk->object;
    const char *start = scan->at++;
    int done = walk_members(walk, found, branch, object, scan);
    for (int i = 0; i < branch->child_count && done == OK; i++) {
        const Child *child = &branch->child[i];
        if (child->column >= 0) {
            long size = child->object == object ? child->size : 0;
            done = add_size(walk, &found->sizes[child->column], size);
        }
    }
    if (done == OK && branch->site_count) {
        Span whole = {start, (size_t)(scan->at - start)};
        done = take_site(walk, found, branch, object, whole);
    }
    return done;
}

int
walk_study(Walk *walk, Span json, Found *found)
{
    size_t slots = ((size_t)walk->plan.piece_count + 1) * sizeof(Slot);
    size_t sizes = ((size_t)walk->plan.column_count + 1) * sizeof(Sizes);
    memset(found, 0, sizeof *found);
    found->slot = (Slot *)arena_take(&walk->arena, slots);
    found->sizes = (Sizes *)arena_take(&walk->arena, sizes);
    if (found->slot == NULL || found->sizes == NULL) {
        return FAILED;
    }
    memset(found->slot, 0, slots);
    memset(found->sizes, 0, sizes);
    walk->study++;
    walk->seen_count = 0;
    Scan scan = {json.at, json.at + json.size};
    int done = ODD;
    /* Lines and sizes are counted in an int. */
    if (json.size <= INT_MAX && scan_peek(&scan) == '{') {
        done = walk_object(walk, found, walk->plan.root, &scan);
    }
    if (done == OK && !scan_is_done(&scan)) {
        done = ODD;
    }
    found->odd = done == ODD;
    return done == ODD ? OK : done;
}
