"""Writes frames as files for other programs, and converts list columns to text."""

from __future__ import annotations

import csv
import importlib.util
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TextIO

import numpy
import pandas

from .errors import BadArgument
from .tables import TABLES, columns

#: As in the CSV of the service: the separator of list items, and the characters that are escaped with a backslash.
SEPARATOR = "|"
SPECIAL = re.compile(r"[\\|]")

#: Beginnings of cells that a spreadsheet would run, except plain numbers. The service puts an apostrophe before them.
FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
PLAIN_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\Z")

#: Numbers from this size on are written with an exponent.
LONG_NUMBER = 1e21
SHORT_NUMBER = 1e-6


def flatten(frame: pandas.DataFrame, separator: str = SEPARATOR) -> pandas.DataFrame:
    """Returns the frame with each list as text such as "S1|S2", for programs and formats without lists.

    In an item, a backslash precedes each separator and backslash. An empty list is missing. To get a row for
    each item instead: `frame.explode("SiteUUID")`.

        sites, _ = water.get_sites(state="UT")
        water.flatten(sites).to_file("sites.gpkg")
    """
    if not isinstance(separator, str) or len(separator) != 1 or separator == "\\":
        raise BadArgument(f"separator must be one character other than a backslash, not {separator!r}.")
    made = frame.copy()
    for name in list_columns(frame):
        texts = [_joined(cell, separator) for cell in frame[name]]
        made[name] = pandas.Series(texts, index=frame.index, dtype=pandas.StringDtype("pyarrow"))
    return made


def list_columns(frame: pandas.DataFrame) -> list[str]:
    """The columns whose cells are lists."""
    return [str(name) for name in frame if name != "geometry" and any(isinstance(cell, list) for cell in frame[name])]


def write(frame: pandas.DataFrame, file: str | Path) -> Path:
    """Writes a frame as .csv, .parquet, .geojson or .gpkg, by the ending of the file; returns the path.

    In CSV, lists look like `S1|S2`, as in the service's CSV; numbers have all digits, and there are no geometries.
    Parquet and GeoJSON keep lists; GeoPackage has them as text. GeoJSON and GeoPackage need geometries.
    """
    path = Path(file)
    writer = writer_of(path)
    if path.suffix.lower() in (".geojson", ".gpkg") and not is_spatial(frame):
        raise BadArgument(f"{path.name} needs geometries, which this frame does not have: write .csv or .parquet.")
    writer(frame, path)
    return path


def writer_of(path: Path) -> Callable[[Any, Path], None]:
    """Finds the writer for a file name extension, or refuses it."""
    found = WRITERS.get(path.suffix.lower())
    if found is None:
        known = ", ".join(WRITERS)
        raise BadArgument(f"{path.name} must end in one of {known}, which determines the format.")
    if path.suffix.lower() in (".geojson", ".gpkg") and importlib.util.find_spec("geopandas") is None:
        raise BadArgument(f"Writing {path.name} needs geopandas: pip install 'waterdataquery[all]'.")
    return found


def is_spatial(frame: pandas.DataFrame) -> bool:
    return hasattr(frame, "geometry") and hasattr(frame, "crs")


def write_csv(frame: pandas.DataFrame, out: TextIO) -> None:
    """Writes CSV as the service does: RFC 4180, lists with bars, and no cell that a spreadsheet would run."""
    flat = flatten(frame.drop(columns="geometry", errors="ignore"))
    moments = _moments(flat)
    cells = [_texts(flat[name], name in moments) for name in flat]
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([_guarded(str(name)) for name in flat])
    writer.writerows(zip(*cells, strict=True))


def _write_csv_file(frame: pandas.DataFrame, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as out:
        write_csv(frame, out)


def _write_parquet(frame: pandas.DataFrame, path: Path) -> None:
    frame.to_parquet(path, index=False, compression="zstd")


def _write_geojson(frame: Any, path: Path) -> None:
    """Writes RFC 7946 with lists as lists. GDAL would write lists as text, and numbers with other digits."""
    import shapely

    properties = frame.drop(columns=frame.geometry.name)
    names = [json.dumps(str(name)) for name in properties]
    moments = _moments(properties)
    texts = [_json_texts(properties[name], name in moments) for name in properties]
    in_degrees = frame.to_crs(4326) if frame.crs else frame
    geometries: Any = shapely.to_geojson(in_degrees.geometry.array.to_numpy())
    with path.open("w", encoding="utf-8") as out:
        out.write('{"type":"FeatureCollection","features":[')
        for index, geometry in enumerate(geometries):
            members = ",".join(f"{name}:{column[index]}" for name, column in zip(names, texts, strict=True))
            comma = ",\n" if index else "\n"
            feature = f'{{"type":"Feature","geometry":{geometry or "null"},"properties":{{{members}}}}}'
            out.write(comma + feature)
        out.write("\n]}\n")


def _write_geopackage(frame: Any, path: Path) -> None:
    # GDAL would keep the other layers of an existing file.
    path.unlink(missing_ok=True)
    flat: Any = flatten(frame)
    flat.to_file(path, driver="GPKG", layer=path.stem)


WRITERS: dict[str, Callable[[Any, Path], None]] = {
    ".csv": _write_csv_file,
    ".parquet": _write_parquet,
    ".geojson": _write_geojson,
    ".gpkg": _write_geopackage,
}


def _joined(cell: Any, separator: str) -> str | None:
    items = cell if isinstance(cell, list) else []
    text = separator.join(_item_text(item, separator) for item in items)
    return text or None


def _item_text(item: Any, separator: str) -> str:
    if item is None:
        return ""
    text = _number_text(item) if isinstance(item, float) else str(item)
    special = SPECIAL if separator == SEPARATOR else re.compile(f"[\\\\{re.escape(separator)}]")
    return special.sub(lambda found: f"\\{found[0]}", text)


def _number_text(number: float) -> str:
    """The shortest decimal text that parses back to this number, as in the service's JSON."""
    if number != number:
        return ""
    if number == 0 or SHORT_NUMBER <= abs(number) < LONG_NUMBER:
        return numpy.format_float_positional(number, trim="-")
    return repr(float(number))


def _guarded(text: str) -> str:
    is_formula = FORMULA.match(text) and not PLAIN_NUMBER.match(text)
    return f"'{text}" if is_formula or text.startswith("'") else text


def _moments(frame: pandas.DataFrame) -> set[str]:
    """The columns that the service writes with a time of day, for the kind that has all columns of the frame."""
    for kind in TABLES["columns"]:
        types = {one.name: one.type for one in columns(kind)}
        if {*map(str, frame)} <= types.keys():
            return {name for name, type in types.items() if type == "timestamp"}
    return set()


def _texts(column: pandas.Series, has_time: bool) -> list[str]:
    """The cells of a column in CSV; a missing value is empty."""
    missing = column.isna()
    if pandas.api.types.is_datetime64_any_dtype(column):
        return [text or "" for text in _days(column, has_time)]
    if pandas.api.types.is_bool_dtype(column):
        change: Callable[[Any], str] = lambda one: "true" if one else "false"  # noqa: E731
    elif pandas.api.types.is_float_dtype(column):
        change = _number_text
    elif pandas.api.types.is_numeric_dtype(column):
        change = str
    else:
        change = lambda one: _guarded(str(one))  # noqa: E731
    return ["" if is_missing else change(one) for one, is_missing in zip(column, missing, strict=True)]


def _days(column: pandas.Series, has_time: bool) -> Iterable[str | None]:
    """Dates, or dates with times if any value of the column has a time."""
    known = column.dropna()
    has_time = has_time or not (known == known.dt.normalize()).all()
    form = "%Y-%m-%dT%H:%M:%S" if has_time else "%Y-%m-%d"
    return [text if isinstance(text, str) else None for text in column.dt.strftime(form)]


def _json_texts(column: pandas.Series, has_time: bool) -> list[str]:
    if pandas.api.types.is_datetime64_any_dtype(column):
        return [json.dumps(text) for text in _days(column, has_time)]
    if column.dtype == object:
        return [json.dumps(_json_list(cell), ensure_ascii=False, default=str) for cell in column]
    is_number = pandas.api.types.is_numeric_dtype(column) and not pandas.api.types.is_bool_dtype(column)
    if is_number:
        return [text or "null" for text in _texts(column, False)]
    return ["null" if cell is None else json.dumps(cell, ensure_ascii=False) for cell in _plain(column)]


def _json_list(cell: Any) -> Any:
    """A list as in the service's GeoJSON: missing text is empty, so that readers find only one type."""
    if not isinstance(cell, list) or any(isinstance(item, (int, float)) for item in cell):
        return cell
    return ["" if item is None else item for item in cell]


def _plain(column: pandas.Series) -> list[Any]:
    missing = column.isna()
    return [None if is_missing else cell for cell, is_missing in zip(column.tolist(), missing, strict=True)]
