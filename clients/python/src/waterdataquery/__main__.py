"""python -m waterdataquery FUNCTION [VALUE ...] [NAME=VALUE ...] [--out FILE]

python -m waterdataquery get_sites state=UT county=Cache --out sites.gpkg
python -m waterdataquery get_allocations county=Caddo columns=AllocationUUID columns=AllocationVolume_AF
python -m waterdataquery get_totals allocations by=priority_decade county=Caddo
python -m waterdataquery download site_amounts UTss_O1

A repeated name means any of its values. FILE ends in .csv, .parquet, .geojson or .gpkg; without FILE the
records are written as CSV. download prints the path of the file in the cache, or of its copy FILE. Set WATER_DATA_URL
and WATER_DATA_KEY first.
"""

import argparse
import io
import re
import shutil
import sys
import warnings
from pathlib import Path
from typing import Any

import pandas

import waterdataquery

from .retrieval import Metadata, nothing_sentence
from .writing import write_csv, writer_of

FUNCTIONS = [name for name in dir(waterdataquery) if name.startswith("get_") or name in ("download", "find", "query")]
SWITCHES = {"true": True, "false": False}
NUMBER = re.compile(r"\d+(\.\d+)?")
ARGUMENT = re.compile(r"\w+=")


def main() -> int:
    parser = argparse.ArgumentParser(usage=f"{__doc__}\nFunctions: {', '.join(FUNCTIONS)}")
    parser.add_argument("function", choices=FUNCTIONS)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--out", default="")
    asked = parser.parse_args()
    values, arguments = read_words(asked.function, asked.words)
    try:
        if asked.out and asked.function != "download":
            writer_of(Path(asked.out))
        with warnings.catch_warnings():
            # print_result() prints the hint.
            warnings.simplefilter("ignore", waterdataquery.NothingFound)
            found, metadata = getattr(waterdataquery, asked.function)(*values, **arguments)
        print_result(asked.function, found, metadata, asked.out)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except (waterdataquery.WaterDataError, TypeError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def read_words(function: str, words: list[str]) -> tuple[list[str], dict[str, Any]]:
    """Splits the values from the named arguments. A filter in CQL2 also contains =."""
    values: list[str] = []
    named: dict[str, list[Any]] = {}
    for word in words:
        is_filter = function == "query" and len(values) == 1
        if ARGUMENT.match(word) and not (is_filter and "'" in word):
            name, _, text = word.partition("=")
            named.setdefault(name, []).append(read_value(name, text))
        else:
            values.append(word)
    return values, {name: given if given[1:] else given[0] for name, given in named.items()}


def read_value(name: str, text: str) -> Any:
    if name in ("limit", "patience") and NUMBER.fullmatch(text):
        return int(text) if text.isdigit() else float(text)
    return SWITCHES.get(text, text)


def print_result(function: str, found: Any, metadata: Metadata, out: str) -> None:
    if function == "download":
        print(copy_file(found, out))
        count = metadata.total
    else:
        count = len(found)
        write_result(found, out)
    if count:
        print(f"{count:,} of {metadata.total:,}, data version {metadata.data_version}", file=sys.stderr)
        if metadata.hint:
            print(metadata.hint, file=sys.stderr)
    else:
        print(nothing_sentence(metadata), file=sys.stderr)
    print(metadata.url, file=sys.stderr)


def copy_file(kept: Path, out: str) -> Path:
    """Copies the cached file to `out`; without `out` returns the cached file itself."""
    if not out:
        return kept
    if Path(out).suffix.lower() != kept.suffix:
        raise waterdataquery.BadArgument(f"{out} does not end in {kept.suffix}, which is the format of the file.")
    return Path(shutil.copyfile(kept, out))


def write_result(found: pandas.DataFrame, out: str) -> None:
    if out:
        waterdataquery.write(found, out)
        return
    text = io.StringIO()
    write_csv(found, text)
    sys.stdout.buffer.write(text.getvalue().encode("utf-8"))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
