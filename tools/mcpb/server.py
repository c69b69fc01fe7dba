"""What a desktop host starts: the MCP server of the package beside this file.

In a bundle this file stands in `src`, next to the package, and so it is that package it imports.
"""

from __future__ import annotations

import os
import sys

from trialyst.interfaces.cli import main

for name, text in list(os.environ.items()):
    # A host may hand on the placeholder of a setting that was left empty.
    if name.startswith("TRIALYST_") and text.startswith("${user_config."):
        del os.environ[name]

if __name__ == "__main__":
    sys.argv[1:] = ["mcp"]
    main()
