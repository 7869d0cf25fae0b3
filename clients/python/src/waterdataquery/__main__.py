"""python -m waterdataquery FUNCTION [VALUE ...] [NAME=VALUE ...] [--out FILE]

python -m waterdataquery get_sites state=UT county=Cache --out sites.csv
python -m waterdataquery get_totals allocations by=priority_decade county=Caddo
python -m waterdataquery download site_amounts UTss_O1

A name that is given twice means any of its values. FILE ends in .csv, .parquet or .geojson; without one the records
are written as CSV. Set WATER_DATA_URL and WATER_DATA_KEY first.
"""

import argparse
import sys
from typing import Any

import waterdataquery

FUNCTIONS = [name for name in dir(waterdataquery) if name.startswith("get_") or name in ("download", "find", "query")]
NUMBERS = ("limit", "patience")
SWITCHES = {"true": True, "false": False}


def main() -> int:
    parser = argparse.ArgumentParser(usage=f"{__doc__}\nFunctions: {', '.join(FUNCTIONS)}")
    parser.add_argument("function", choices=FUNCTIONS)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--out", default="")
    asked = parser.parse_args()
    values: list[str] = []
    named: dict[str, list[Any]] = {}
    for word in asked.words:
        name, is_named, text = word.partition("=")
        if is_named and " " not in name:
            named.setdefault(name, []).append(int(text) if name in NUMBERS else SWITCHES.get(text, text))
        else:
            values.append(word)
    arguments = {name: given if given[1:] else given[0] for name, given in named.items()}
    try:
        found, metadata = getattr(waterdataquery, asked.function)(*values, **arguments)
    except (waterdataquery.WaterDataError, TypeError) as error:
        print(error, file=sys.stderr)
        return 1
    if asked.function == "download":
        print(found)
    elif asked.out.endswith(".parquet"):
        found.to_parquet(asked.out)
    elif asked.out.endswith(".geojson"):
        found.to_file(asked.out, driver="GeoJSON")
    else:
        found.drop(columns="geometry", errors="ignore").to_csv(asked.out or sys.stdout, index=False)
    count = metadata.total if asked.function == "download" else len(found)
    print(f"{count:,} of {metadata.total:,}, data version {metadata.data_version}\n{metadata.url}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
