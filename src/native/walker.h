/* The type that walks through studies. */

#ifndef TRIALYST_WALKER_H
#define TRIALYST_WALKER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern PyTypeObject WalkerType;

#endif
