/* Turns the plan's tuples into tables that can be read without Python's lock. */

#include "plan.h"

static void *
zeroed(Py_ssize_t count, size_t size)
{
    void *made = PyMem_RawCalloc((size_t)count + 1, size);
    if (made == NULL) {
        PyErr_NoMemory();
    }
    return made;
}

static int
read_name(PyObject *string, Name *name)
{
    Py_ssize_t size;
    const char *letters = PyUnicode_AsUTF8AndSize(string, &size);
    if (letters == NULL) {
        return FAILED;
    }
    *name = (Name){string, {letters, (size_t)size}};
    return OK;
}

static void
free_branch(Branch *branch)
{
    if (branch == NULL) {
        return;
    }
    for (int i = 0; i < branch->child_count; i++) {
        free_branch(branch->child[i].inner);
        Py_DECREF(branch->child[i].owner);
    }
    PyMem_RawFree(branch->child);
    PyMem_RawFree(branch->table);
    PyMem_RawFree(branch->site_child);
    PyMem_RawFree(branch);
}

Child *
branch_find(const Branch *branch, Span key)
{
    size_t at = hash_bytes(key.at, key.size) & branch->mask;
    for (; branch->table[at] >= 0; at = (at + 1) & branch->mask) {
        Child *child = &branch->child[branch->table[at]];
        if (child->key.size == key.size && memcmp(child->key.at, key.at, key.size) == 0) {
            return child;
        }
    }
    return NULL;
}

static int
fill_table(Branch *branch)
{
    size_t capacity = 4;
    while (capacity < (size_t)branch->child_count * 3) {
        capacity *= 2;
    }
    branch->mask = capacity - 1;
    branch->table = zeroed((Py_ssize_t)capacity, sizeof(short));
    if (branch->table == NULL) {
        return FAILED;
    }
    memset(branch->table, -1, capacity * sizeof(short));
    for (int i = 0; i < branch->child_count; i++) {
        Span key = branch->child[i].key;
        size_t at = hash_bytes(key.at, key.size) & branch->mask;
        while (branch->table[at] >= 0) {
            at = (at + 1) & branch->mask;
        }
        branch->table[at] = (short)i;
    }
    return OK;
}

static int
check_range(int number, int least, int count)
{
    if (number < least || number >= count) {
        PyErr_SetString(PyExc_ValueError, "a plan names something that it has not");
        return FAILED;
    }
    return OK;
}

static Branch *read_branch(const Plan *plan, PyObject *tuple);

static int
read_child(const Plan *plan, Branch *branch, PyObject *key, PyObject *value)
{
    Child *child = &branch->child[branch->child_count];
    PyObject *inner;
    Name name;
    if (read_name(key, &name) < 0
        || !PyArg_ParseTuple(value, "iiiO", &child->piece, &child->handling, &child->column,
                             &inner)
        || check_range(child->piece, 0, plan->piece_count) < 0
        || check_range(child->column, -1, plan->column_count) < 0) {
        return FAILED;
    }
    child->key = name.letters;
    child->owner = Py_NewRef(key);
    branch->child_count++;
    if (inner != Py_None) {
        child->inner = read_branch(plan, inner);
        return child->inner ? OK : FAILED;
    }
    return OK;
}

static int
read_sites(Branch *branch, PyObject *keys)
{
    Py_ssize_t count = PyTuple_GET_SIZE(keys);
    branch->site_child = zeroed(count, sizeof(int));
    if (branch->site_child == NULL) {
        return FAILED;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        Name name;
        if (read_name(PyTuple_GET_ITEM(keys, i), &name) < 0) {
            return FAILED;
        }
        const Child *child = branch_find(branch, name.letters);
        if (child == NULL) {
            PyErr_SetString(PyExc_ValueError, "a site has a key that its branch has not");
            return FAILED;
        }
        branch->site_child[branch->site_count++] = (int)(child - branch->child);
    }
    return OK;
}

static Branch *
read_branch(const Plan *plan, PyObject *tuple)
{
    PyObject *children, *sites, *key, *value;
    if (!PyArg_ParseTuple(tuple, "O!O!", &PyDict_Type, &children, &PyTuple_Type, &sites)) {
        return NULL;
    }
    Py_ssize_t count = PyDict_GET_SIZE(children);
    /* The numbers of children stand in a table of shorts. */
    if (count > SHRT_MAX) {
        PyErr_SetString(PyExc_ValueError, "a branch of the plan has too many keys");
        return NULL;
    }
    Branch *branch = zeroed(1, sizeof(Branch));
    if (branch == NULL) {
        return NULL;
    }
    branch->child = zeroed(count, sizeof(Child));
    int done = branch->child ? OK : FAILED;
    Py_ssize_t position = 0;
    while (done == OK && branch->child_count < count
           && PyDict_Next(children, &position, &key, &value)) {
        done = read_child(plan, branch, key, value);
    }
    if (done < 0 || fill_table(branch) < 0 || read_sites(branch, sites) < 0) {
        free_branch(branch);
        return NULL;
    }
    return branch;
}

static int
read_pieces(Plan *plan, PyObject *names)
{
    Py_ssize_t count = PyTuple_GET_SIZE(names);
    plan->piece = zeroed(count, sizeof(Name));
    plan->handling = zeroed(count, sizeof *plan->handling);
    if (plan->piece == NULL || plan->handling == NULL) {
        return FAILED;
    }
    for (; plan->piece_count < count; plan->piece_count++) {
        PyObject *name;
        int handling;
        PyObject *item = PyTuple_GET_ITEM(names, plan->piece_count);
        if (!PyArg_ParseTuple(item, "Ui", &name, &handling)
            || read_name(name, &plan->piece[plan->piece_count]) < 0) {
            return FAILED;
        }
        plan->handling[plan->piece_count] = (unsigned short)handling;
    }
    return OK;
}

static int
read_columns(Plan *plan, PyObject *columns)
{
    Py_ssize_t count = PyTuple_GET_SIZE(columns);
    plan->column = zeroed(count, sizeof(Name));
    plan->from_zero = zeroed(count, 1);
    if (plan->column == NULL || plan->from_zero == NULL) {
        return FAILED;
    }
    for (; plan->column_count < count; plan->column_count++) {
        PyObject *name;
        int from_zero;
        PyObject *item = PyTuple_GET_ITEM(columns, plan->column_count);
        if (!PyArg_ParseTuple(item, "Up", &name, &from_zero)
            || read_name(name, &plan->column[plan->column_count]) < 0) {
            return FAILED;
        }
        plan->from_zero[plan->column_count] = (char)from_zero;
    }
    return OK;
}

/* Read the numbers of some pieces into a new array. */
static int
read_numbers(const Plan *plan, PyObject *numbers, int **read, int *read_count)
{
    Py_ssize_t count = PyTuple_GET_SIZE(numbers);
    *read = zeroed(count, sizeof(int));
    if (*read == NULL) {
        return FAILED;
    }
    for (; *read_count < count; ++*read_count) {
        int *number = &(*read)[*read_count];
        if (!PyArg_Parse(PyTuple_GET_ITEM(numbers, *read_count), "i", number)
            || check_range(*number, 0, plan->piece_count) < 0) {
            return FAILED;
        }
    }
    return OK;
}

/* Read named lists of pieces into a new array. */
static int
read_groups(const Plan *plan, PyObject *groups, Group **read, int *read_count)
{
    Py_ssize_t count = PyTuple_GET_SIZE(groups);
    *read = zeroed(count, sizeof(Group));
    if (*read == NULL) {
        return FAILED;
    }
    while (*read_count < count) {
        PyObject *name, *members;
        PyObject *item = PyTuple_GET_ITEM(groups, *read_count);
        Group *group = &(*read)[(*read_count)++];
        if (!PyArg_ParseTuple(item, "UO!", &name, &PyTuple_Type, &members)
            || read_name(name, &group->name) < 0
            || read_numbers(plan, members, &group->member, &group->member_count) < 0) {
            return FAILED;
        }
    }
    return OK;
}

static void
free_groups(Group *groups, int count)
{
    for (int i = 0; i < count; i++) {
        PyMem_RawFree(groups[i].member);
    }
    PyMem_RawFree(groups);
}

int
plan_read(Plan *plan, PyObject *root, PyObject *names, PyObject *columns, PyObject *groups,
          PyObject *word_lists, PyObject *row)
{
    if (read_pieces(plan, names) < 0 || read_columns(plan, columns) < 0
        || read_groups(plan, groups, &plan->group, &plan->group_count) < 0
        || read_groups(plan, word_lists, &plan->word_list, &plan->word_list_count) < 0
        || read_numbers(plan, row, &plan->row, &plan->row_count) < 0) {
        return FAILED;
    }
    plan->root = read_branch(plan, root);
    return plan->root ? OK : FAILED;
}

void
plan_free(Plan *plan)
{
    free_branch(plan->root);
    free_groups(plan->group, plan->group_count);
    free_groups(plan->word_list, plan->word_list_count);
    PyMem_RawFree(plan->row);
    PyMem_RawFree(plan->piece);
    PyMem_RawFree(plan->handling);
    PyMem_RawFree(plan->column);
    PyMem_RawFree(plan->from_zero);
    memset(plan, 0, sizeof *plan);
}
