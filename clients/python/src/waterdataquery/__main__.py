"""python -m waterdataquery FUNCTION [VALUE ...] [NAME=VALUE ...] [--out FILE]

python -m waterdataquery get_sites state=UT county=Cache --out sites.csv
python -m waterdataquery get_totals allocations by=priority_decade county=Caddo
python -m waterdataquery download site_amounts UTss_O1

A name that is given twice means any of its values. FILE ends in .csv, .parquet or .geojson; without one the records
are written as CSV. Set WATER_DATA_URL and WATER_DATA_KEY first.
"""

from __future__ import annotations

import sys
from typing import Any

import waterdataquery

FUNCTIONS = [name for name in dir(waterdataquery) if name.startswith("get_") or name in ("download", "find", "query")]
NUMBERS = ("limit", "patience")
SWITCHES = {"true": True, "false": False}


def main() -> int:
    words = sys.argv[1:]
    out = None
    if "--out" in words[:-1]:
        at = words.index("--out")
        out = words[at + 1]
        del words[at : at + 2]
    if not words or words[0] not in FUNCTIONS:
        print(__doc__ + "\nFunctions: " + ", ".join(FUNCTIONS), file=sys.stderr)
        return 2
    values = [word for word in words[1:] if "=" not in word or " " in word.partition("=")[0]]
    try:
        found, metadata = getattr(waterdataquery, words[0])(*values, **_named(words[1:], values))
    except (waterdataquery.WaterDataError, TypeError) as error:
        print(error, file=sys.stderr)
        return 1
    if words[0] == "download":
        print(found)
    else:
        _write(found, out)
    print(f"{len(found) if words[0] != 'download' else metadata.total:,} of {metadata.total:,}, data version "
          f"{metadata.data_version}\n{metadata.url}", file=sys.stderr)  # fmt: skip
    return 0


def _named(words: list[str], values: list[str]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for word in words:
        if word in values:
            continue
        name, _, text = word.partition("=")
        value = int(text) if name in NUMBERS else SWITCHES.get(text, text)
        named[name] = [*named[name], value] if isinstance(named.get(name), list) else (
            [named[name], value] if name in named else value
        )  # fmt: skip
    return named


def _write(found: Any, out: str | None) -> None:
    if out is not None and out.endswith(".parquet"):
        found.to_parquet(out)
    elif out is not None and out.endswith(".geojson"):
        found.to_file(out, driver="GeoJSON")
    else:
        found.drop(columns="geometry", errors="ignore").to_csv(out or sys.stdout, index=False)


if __name__ == "__main__":
    sys.exit(main())
