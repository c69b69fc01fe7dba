from __future__ import annotations

import pytest

from trialyst.interfaces.cli.wording import in_commands


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            "Call search_trials with query='a b' and pass an `id` of its items.",
            "Run `trialyst search 'a b'` and pass an id it shows.",
        ),
        ("arms is cut; sections=['arms'] gives all.", "arms is cut; --sections arms gives all."),
        ("page_size is 0, outside 1 to 200", "--page-size is 0, outside 1 to 200"),
        ("Sites are in get_trial_locations.", "Sites are in `trialyst locations`."),
        ("Call compare_trials or count_trials.", "Call `trialyst compare` or `trialyst count`."),
        ("leave out `country` to see them all", "leave out --country to see them all"),
        ("a status of its own", "a status of its own"),
    ],
)
def test_tools_and_arguments_become_commands_and_options(said: str, shown: str) -> None:
    assert in_commands(said).startswith(shown)
