"""Files and directories that one process at a time may write.

The kernel frees a lock when its process ends, however it ends.
"""

from __future__ import annotations

import fcntl

__all__ = ["try_lock"]


def try_lock(descriptor: int) -> bool:
    """Lock an open file or directory until it is closed; tell whether nobody else has it.

    Raises:
        OSError: the file system has no locks.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
