/* trialyst._native: the two inner loops of an ingest. */

#include "folder.h"
#include "walker.h"

/* Raised whenever documents change; `folding.py` expects the same. */
enum { VERSION = 3 };

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "trialyst._native",
    .m_doc = "The two inner loops of an ingest: folding text and walking through studies.",
    .m_size = -1,
};

PyMODINIT_FUNC
PyInit__native(void)
{
    words_prepare();
    if (PyType_Ready(&FolderType) < 0 || PyType_Ready(&WalkerType) < 0) {
        return NULL;
    }
    PyObject *made = PyModule_Create(&module);
    if (made == NULL || PyModule_AddObjectRef(made, "Folder", (PyObject *)&FolderType) < 0
        || PyModule_AddObjectRef(made, "Walker", (PyObject *)&WalkerType) < 0
        || PyModule_AddIntConstant(made, "VERSION", VERSION) < 0) {
        Py_XDECREF(made);
        return NULL;
    }
    return made;
}
