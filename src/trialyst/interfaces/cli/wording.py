"""What the tools say to a program, said to a person at the command line."""

from __future__ import annotations

import re

__all__ = ["in_commands"]

_COMMANDS = {
    "search_trials": "trialyst search",
    "get_trial": "trialyst trial",
    "get_trial_locations": "trialyst locations",
    "count_trials": "trialyst count",
    "compare_trials": "trialyst compare",
    "search_drug_trials": "trialyst drug-trials",
    "detect_whitespace": "trialyst whitespace",
    "get_landscape": "trialyst landscape",
    "get_terminated": "trialyst terminated",
    "search_pathways": "trialyst pathways search",
    "get_pathway": "trialyst pathways get",
    "get_pathways_for_gene": "trialyst pathways gene",
    "get_pathway_components": "trialyst pathways components",
    "enrich_pathways": "trialyst pathways enrich",
    "profile_patient": "trialyst ingest",
    "match_patient": "trialyst match",
}
_OPTIONS = "near|within|country|status|sections|cursor|by|page_size|date_before|slim"
_REWORDED = (
    (r"Call search_trials with query=(.+) and pass", r"Run `trialyst search \1` and pass"),
    (r"Call search_pathways with query=(.+) and", r"Run `trialyst pathways search \1` and"),
    (r"pass an `id` of its items", "pass an id it shows"),
    (r"Give an id as (?:nct|pathway)_id", "Give an id"),
    (r"Give gene_id:", "Give a gene:"),
    (r"slim=false gives them", "leave out --slim to see them"),
    (r"slim=false adds them", "--full adds them"),
    (r"sections=\['(\w+)'\]", r"--sections \1"),
    (r"near='(\w+)'", r"--near \1"),
    (rf"`({_OPTIONS})`", r"--\1"),
    (r"date_before='([\d-]+)'", r"--date-before \1"),
    (r"(?<![\w-])top_n\b", "--top"),
    (r"(?<![\w-])phase_filter\b", "--phase"),
    (r"(?<![\w-])(page_size|date_before|max_results|point_in_time)\b", r"--\1"),
)


def in_commands(text: str) -> str:
    """Give a note or a hint with commands and options in place of tools and arguments.

    >>> in_commands("Sites are in get_trial_locations.")
    'Sites are in `trialyst locations`.'
    >>> in_commands("Give `near` too, or leave out `date_before`.")
    'Give --near too, or leave out --date-before.'
    """
    for pattern, words in _REWORDED:
        text = re.sub(pattern, words, text)
    text = re.sub(r"--\w+_\w+", lambda found: found[0].replace("_", "-"), text)
    return re.sub(rf"\b(?:{'|'.join(_COMMANDS)})\b", _command, text)


def _command(found: re.Match[str]) -> str:
    return f"`{_COMMANDS[found[0]]}`"
