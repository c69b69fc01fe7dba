/* trialyst._native.Walker: studies as JSON to the parts of their documents, many at a time.

   A batch is walked through without Python's lock; then what only Python can tell is asked, with
   it; then everything is handed back. trialyst/registry/walking.py says what the parts mean and
   does the same in Python, to the same bytes. */

#include "walker.h"
#include "found.h"

typedef struct {
    PyObject_HEAD
    Walk walk;
    /* The names in the plan are read where they are. */
    PyObject *plan;
    Text document;
    Text scratch;
    char busy;
} Walker;

static PyObject *
to_string(Span span)
{
    return PyUnicode_DecodeUTF8(span.at, (Py_ssize_t)span.size, NULL);
}

static PyObject *
to_bytes(const Text *text)
{
    return PyBytes_FromStringAndSize(text->data, (Py_ssize_t)text->size);
}

/* The values of a piece that Python wants to see, as strings or numbers. */
static PyObject *
give_values(Walker *walker, const Found *found, int piece)
{
    const Slot *slot = &found->slot[piece];
    PyObject *values = PyList_New(0);
    int handling = walker->walk.plan.handling[piece] & HANDLING;
    int as_numbers = handling == AS_DATE || handling == AS_AGE || handling == AS_NUMBER;
    int count = as_numbers ? slot_numbers(found, slot, &walker->scratch) : 0;
    if (count < 0) {
        Py_CLEAR(values);
    }
    for (int i = 0; values && i < count; i++) {
        PyObject *value = PyLong_FromLongLong(((long long *)walker->scratch.data)[i]);
        if (value == NULL || PyList_Append(values, value) < 0) {
            Py_CLEAR(values);
        }
        Py_XDECREF(value);
    }
    int first = slot->count && !as_numbers ? slot->first : -1;
    for (int i = first; values && i >= 0; i = found->line[i].next) {
        PyObject *value = to_string(found->line[i].raw);
        if (value == NULL || PyList_Append(values, value) < 0) {
            Py_CLEAR(values);
        }
        Py_XDECREF(value);
    }
    return values;
}

static int
set_item(PyObject *dict, PyObject *key, PyObject *value)
{
    int done = value ? PyDict_SetItem(dict, key, value) : FAILED;
    Py_XDECREF(value);
    return done;
}

/* Whether a date, age or number of a piece has no key, and so cannot be searched. */
static int
lacks_key(const Found *found, const Slot *slot, int handling)
{
    if (handling != AS_DATE && handling != AS_AGE && handling != AS_NUMBER) {
        return 0;
    }
    for (int at = slot->count ? slot->first : -1; at >= 0; at = found->line[at].next) {
        const Line *line = &found->line[at];
        /* Older interfaces write an age that is not limited so. */
        int is_unlimited = handling == AS_AGE && line->raw.size == 3
                           && memcmp(line->raw.at, "N/A", 3) == 0;
        if (line->value.size == 0 && !is_unlimited) {
            return 1;
        }
    }
    return 0;
}

static int
collect(Walker *walker, const Found *found, PyObject *values, PyObject *spans,
        PyObject *unreadable)
{
    const Plan *plan = &walker->walk.plan;
    walker->document.size = 0;
    for (int i = 0; i < plan->piece_count; i++) {
        const Slot *slot = &found->slot[i];
        PyObject *name = plan->piece[i].name;
        int is_there = slot->stated || slot->is_struct;
        if (is_there != ((plan->handling[i] & USUAL) != 0)
            && ((walker->document.size && text_add(&walker->document, " ", 1) < 0)
                || text_add(&walker->document, plan->piece[i].letters.at,
                            plan->piece[i].letters.size) < 0)) {
            return FAILED;
        }
        if ((plan->handling[i] & KEEP) && is_there
            && set_item(values, name, give_values(walker, found, i)) < 0) {
            return FAILED;
        }
        if (slot->span.at
            && set_item(spans, name,
                        PyBytes_FromStringAndSize(slot->span.at, (Py_ssize_t)slot->span.size))
                   < 0) {
            return FAILED;
        }
        if ((slot->unreadable || lacks_key(found, slot, plan->handling[i] & HANDLING))
            && PyList_Append(unreadable, name) < 0) {
            return FAILED;
        }
    }
    return OK;
}

static PyObject *
give_totals(Walker *walker, const Found *found)
{
    PyObject *totals = PyDict_New();
    for (int i = 0; totals && i < walker->walk.plan.column_count; i++) {
        long total = found->sizes[i].total;
        if (total
            && set_item(totals, walker->walk.plan.column[i].name, PyLong_FromLong(total)) < 0) {
            Py_CLEAR(totals);
        }
    }
    return totals;
}

static PyObject *
give(Walker *walker, const Found *found)
{
    if (found->odd) {
        Py_RETURN_NONE;
    }
    PyObject *parts[6] = {NULL};
    PyObject *unusual = NULL, *given = NULL;
    if (write_document(&walker->walk, found, &walker->document, &walker->scratch) == OK
        && write_row(&walker->walk, found, &walker->scratch) == OK) {
        parts[0] = to_bytes(&walker->document);
        parts[1] = PyDict_New();
        parts[2] = to_bytes(&walker->scratch);
        parts[3] = PyDict_New();
        parts[4] = PyList_New(0);
        parts[5] = give_totals(walker, found);
    }
    if (parts[0] && parts[1] && parts[2] && parts[3] && parts[4] && parts[5]
        && collect(walker, found, parts[1], parts[3], parts[4]) == OK) {
        unusual = to_string((Span){walker->document.data, walker->document.size});
    }
    if (unusual) {
        given = PyTuple_Pack(7, parts[0], unusual, parts[1], parts[2], parts[3], parts[4],
                             parts[5]);
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    Py_XDECREF(unusual);
    for (int i = 0; i < 6; i++) {
        Py_XDECREF(parts[i]);
    }
    return given;
}

static int
walk_all(Walker *walker, PyObject *studies, Found *found)
{
    Py_ssize_t count = PyTuple_GET_SIZE(studies);
    int done = OK;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < count && done == OK; i++) {
        PyObject *study = PyTuple_GET_ITEM(studies, i);
        Span json = {PyBytes_AS_STRING(study), (size_t)PyBytes_GET_SIZE(study)};
        done = walk_study(&walker->walk, json, &found[i]);
    }
    Py_END_ALLOW_THREADS
    if (done < 0) {
        PyErr_NoMemory();
        return FAILED;
    }
    return walk_settle(&walker->walk);
}

static PyObject *
walk_tuple(Walker *walker, PyObject *studies)
{
    Py_ssize_t count = PyTuple_GET_SIZE(studies);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!PyBytes_CheckExact(PyTuple_GET_ITEM(studies, i))) {
            PyErr_SetString(PyExc_TypeError, "studies are given as bytes");
            return NULL;
        }
    }
    Found *found = PyMem_RawCalloc((size_t)count + 1, sizeof(Found));
    if (found == NULL) {
        return PyErr_NoMemory();
    }
    PyObject *given = walk_all(walker, studies, found) == OK ? PyList_New(count) : NULL;
    for (Py_ssize_t i = 0; given && i < count; i++) {
        PyObject *one = give(walker, &found[i]);
        if (one == NULL) {
            Py_CLEAR(given);
            break;
        }
        PyList_SET_ITEM(given, i, one);
    }
    PyMem_RawFree(found);
    arena_empty(&walker->walk.arena);
    walker->walk.pending_count = 0;
    return given;
}

static PyObject *
walker_call(Walker *walker, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"studies", NULL};
    PyObject *given;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O", names, &given)) {
        return NULL;
    }
    PyObject *studies = PySequence_Tuple(given);
    if (studies == NULL) {
        return NULL;
    }
    PyObject *walked = NULL;
    if (walker->busy) {
        PyErr_SetString(PyExc_RuntimeError, "a walker takes one batch at a time");
    } else {
        walker->busy = 1;
        walked = walk_tuple(walker, studies);
        walker->busy = 0;
    }
    Py_DECREF(studies);
    return walked;
}

static int
start_memos(Walk *walk, PyObject *asks)
{
    PyObject *words, *dates, *ages, *numbers, *sites;
    if (!PyArg_ParseTuple(asks, "OOOOO", &words, &dates, &ages, &numbers, &sites)
        || memo_start(&walk->words.words, words, 0) < 0
        || memo_start(&walk->memo[DATES], dates, 0) < 0
        || memo_start(&walk->memo[AGES], ages, 0) < 0
        || memo_start(&walk->memo[NUMBERS], numbers, 0) < 0
        || memo_start(&walk->memo[SITES], sites, 1) < 0) {
        return FAILED;
    }
    return OK;
}

static PyObject *
walker_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"plan", "asks", NULL};
    PyObject *plan, *asks, *root, *names, *columns, *groups, *word_lists, *row;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O!", keywords, &PyTuple_Type, &plan,
                                     &PyTuple_Type, &asks)
        || !PyArg_ParseTuple(plan, "O!O!O!O!O!O!", &PyTuple_Type, &root, &PyTuple_Type, &names,
                             &PyTuple_Type, &columns, &PyTuple_Type, &groups, &PyTuple_Type,
                             &word_lists, &PyTuple_Type, &row)) {
        return NULL;
    }
    Walker *walker = (Walker *)type->tp_alloc(type, 0);
    if (walker == NULL) {
        return NULL;
    }
    walker->plan = Py_NewRef(plan);
    if (start_memos(&walker->walk, asks) < 0
        || plan_read(&walker->walk.plan, root, names, columns, groups, word_lists, row) < 0) {
        Py_CLEAR(walker);
    }
    return (PyObject *)walker;
}

/* A rule may hold the walker it is a rule of; that ring is broken at the rule. */
static int
walker_traverse(Walker *walker, visitproc visit, void *arg)
{
    Py_VISIT(walker->walk.words.words.ask);
    for (int i = 0; i < MEMO_COUNT; i++) {
        Py_VISIT(walker->walk.memo[i].ask);
    }
    Py_VISIT(walker->plan);
    return 0;
}

static void
walker_dealloc(Walker *walker)
{
    PyObject_GC_UnTrack(walker);
    Walk *walk = &walker->walk;
    memo_free(&walk->words.words);
    for (int i = 0; i < MEMO_COUNT; i++) {
        memo_free(&walk->memo[i]);
    }
    plan_free(&walk->plan);
    arena_free(&walk->arena);
    text_free(&walk->scratch);
    PyMem_RawFree(walk->pending);
    PyMem_RawFree(walk->seen);
    text_free(&walker->document);
    text_free(&walker->scratch);
    Py_XDECREF(walker->plan);
    Py_TYPE(walker)->tp_free((PyObject *)walker);
}

PyTypeObject WalkerType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "trialyst._native.Walker",
    .tp_doc = "Walks through studies given as JSON, in batches.",
    .tp_basicsize = sizeof(Walker),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = walker_new,
    .tp_traverse = (traverseproc)walker_traverse,
    .tp_dealloc = (destructor)walker_dealloc,
    .tp_call = (ternaryfunc)walker_call,
};
