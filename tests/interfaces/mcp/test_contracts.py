"""What holds for the tools in process holds on the wire, over both transports.

The suites are the same; only the fixture `starter` is another: a real client.
"""

from __future__ import annotations

from tests.contracts import (
    test_dossier_tool,
    test_matching_tools,
    test_pathway_tools,
    test_reference,
    test_repurposing_tools,
    test_search_trials,
    test_tools,
)
from tests.discovery import test_hints

_SUITES = (
    *(test_tools, test_search_trials, test_pathway_tools),
    *(test_repurposing_tools, test_dossier_tool, test_matching_tools),
    *(test_reference, test_hints),
)
for _suite in _SUITES:
    _home = _suite.__name__.rpartition(".test_")[2]
    globals().update(
        {
            f"{name}_of_{_home}": test
            for name, test in vars(_suite).items()
            if name.startswith(("test_", "Test"))
        }
    )
