"""How the sites of a trial changed, in words, by country."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from trialyst.ctgov.revised_lists import in_words
from trialyst.ctgov.sites import Site
from trialyst.ctgov.trial import Trial
from trialyst.ctgov.vocab import label_of

__all__ = ["revised_sites"]

Key = tuple[str | None, ...]


def revised_sites(before: Trial, after: Trial) -> Iterator[str]:
    """Tell which sites came, went, and have another status, by country."""
    old, new = _by_place(before), _by_place(after)
    come = _countries(new, old)
    gone = _countries(old, new)
    told = [f"{in_words(n, 'site')} added in {country}" for country, n in come.most_common()]
    told += [f"{in_words(n, 'site')} removed in {country}" for country, n in gone.most_common()]
    statuses: Counter[tuple[str, str]] = Counter()
    others = 0
    for key in new.keys() & old.keys():
        for was, now in zip(old[key], new[key], strict=False):
            if was.status != now.status:
                statuses[_status(was), _status(now)] += 1
            elif was != now:
                others += 1
    told += [
        f"{in_words(n, 'site')} {was} -> {now}"
        for (was, now), n in sorted(statuses.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    if others:
        told.append(f"details of {in_words(others, 'site')} changed")
    yield from told or ["sites in another order"]


def _by_place(trial: Trial) -> dict[Key, list[Site]]:
    found: dict[Key, list[Site]] = {}
    for site in trial.sites:
        key = (site.facility, site.city, site.state, site.country)
        found.setdefault(key, []).append(site)
    return found


def _countries(sites: dict[Key, list[Site]], others: dict[Key, list[Site]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for key, held in sites.items():
        surplus = len(held) - len(others.get(key, ()))
        if surplus > 0:
            counts[key[-1] or "an unnamed country"] += surplus
    return counts


def _status(site: Site) -> str:
    return label_of(site.status).lower() if site.status else "without status"
