"""Answers become data frames with the columns and types that `tables.json` declares."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy
import pandas

from . import tables
from .tables import Column

try:
    import pyarrow
    import pyarrow.compute
except ImportError:  # The package does without; lists are Python's own then, and texts take more memory.
    pyarrow = None

Values = dict[str, list[Any]]

_CSV_CELL_LIMIT = 1 << 28


HAS_PYARROW = pyarrow is not None


def text_type() -> Any:
    return pandas.StringDtype("pyarrow" if pyarrow else "python")


def series(column: Column, values: Sequence[Any]) -> Any:
    """The values of a column with its type; what is unknown is NA, NaN or NaT as pandas has it."""
    if column.list:
        return _lists(column, values)
    if column.type == "text":
        return pandas.array([None if value is None else str(value) for value in values], dtype=text_type())
    if column.type == "number":
        return numpy.array([_number(value) for value in values], dtype="float64")
    if column.type == "integer":
        return pandas.array([None if value is None else int(value) for value in values], dtype="Int64")
    if column.type == "boolean":
        return pandas.array(values, dtype="boolean")
    length = 10 if column.type == "date" else None
    return numpy.array([value[:length] if value else "NaT" for value in values], dtype="datetime64[ms]")


def frame(columns: Iterable[Column], values: Mapping[str, Sequence[Any]]) -> pandas.DataFrame:
    """Without values a column is empty, and has its type all the same."""
    return pandas.DataFrame({column.name: series(column, values.get(column.name, ())) for column in columns})


def join_page(kind: str, page: Mapping[str, Any], values: Values) -> None:
    """Adds the records of an answer in JSON to `values`, what their lookups say joined in."""
    for organization in page["Organizations"]:
        records = organization[kind]
        found = {name: _found(organization, name, kind) for name in tables.references(kind)}
        for column in tables.columns(kind):
            into = values.setdefault(column.name, [])
            if column.source is None:
                into += [_own(record, column) for record in records]
            elif column.source == "Organization":
                into += [organization[column.member]] * len(records)
            else:
                into += _joined(records, column, kind, found[column.source])


def lookup_rows(kind: str, page: Mapping[str, Any], rows: dict[str, dict[tuple[str, str], Any]]) -> None:
    """Adds the lookups of a page to `rows`, each once for its organization."""
    for organization in page["Organizations"]:
        for name, reference in tables.references(kind).items():
            for item in organization.get(name, ()):
                key = (organization["OrganizationUUID"], item[reference.identifier])
                rows.setdefault(name, {})[key] = {"OrganizationUUID": key[0], **item}


def feature_values(kind: str, features: Sequence[Mapping[str, Any]]) -> Values:
    """The properties of OGC features, which have the names of the columns; in lists they have no null."""
    values: Values = {}
    for column in tables.columns(kind):
        found = [feature["properties"].get(column.name) for feature in features]
        if column.list:
            found = [[None if item == "" else item for item in items or ()] for items in found]
        values[column.name] = found
    return values


def from_arrow(kind: str, table: Any) -> pandas.DataFrame:
    """A table of an export or a file; `Key` is for bringing files up to date, and no column of a record."""
    arrays = {column.name: _typed_array(column, table[column.name]) for column in tables.columns(kind)}
    typed = pyarrow.table(arrays)
    del arrays, table
    # Blocks are made and given back column by column, so that the whole is in memory once.
    made: pandas.DataFrame = typed.to_pandas(
        types_mapper=_pandas_type, date_as_object=False, split_blocks=True, self_destruct=True
    )
    return made


def from_csv(kind: str, file: Path) -> pandas.DataFrame:
    """The CSV form of an export, for those without pyarrow. A file that was cut off raises EOFError."""
    return frame(tables.columns(kind), _csv_values(kind, file))


def arrow_from_csv(kind: str, file: BinaryIO, schema: Any) -> Any:
    """The CSV form as a table with the types of a Parquet file of the service."""
    values = _csv_values(kind, file)
    arrays = [pyarrow.array(values[one.name], _as_read(one.type)).cast(one.type) for one in schema]
    return pyarrow.table(arrays, schema=schema)


def _as_read(arrow_type: Any) -> Any:
    """What a cell is before it gets this type."""
    is_read = pyarrow.types.is_list(arrow_type) or pyarrow.types.is_boolean(arrow_type)
    return arrow_type if is_read else pyarrow.string()


def _csv_values(kind: str, file: Path | BinaryIO) -> Values:
    columns = tables.columns(kind)
    values: Values = {column.name: [] for column in columns}
    csv.field_size_limit(_CSV_CELL_LIMIT)
    with gzip.open(file, "rt", encoding="utf-8", newline="") as text:
        for row in csv.DictReader(text):
            for column in columns:
                values[column.name].append(_cell(column, row))
    return values


def _cell(column: Column, row: Mapping[str, str]) -> Any:
    cell = row[column.name]
    if cell.startswith("'"):
        # It stands before what a spreadsheet would run.
        cell = cell[1:]
    if not column.list:
        return _boolean(cell) if column.type == "boolean" else cell or None
    if cell == "":
        # One unknown item and no item look the same; the identifiers tell them apart.
        return [None] if column.identifier not in (None, column.name) and row[column.identifier or ""] else []
    return [item or None for item in _split(cell)]


def _split(cell: str) -> list[str]:
    """The items of a list; a backslash stands before a bar or a backslash that an item holds."""
    if "\\" not in cell:
        return cell.split("|")
    items, rest = [""], iter(cell)
    for character in rest:
        if character == "|":
            items.append("")
        else:
            items[-1] += next(rest, "") if character == "\\" else character
    return items


def _boolean(cell: str) -> bool | None:
    return cell == "true" if cell else None


def _number(value: Any) -> float:
    """Coordinates are text as submitted: one that is no number is unknown here."""
    try:
        return float("nan") if value is None else float(value)
    except ValueError:
        return float("nan")


def _lists(column: Column, values: Sequence[Any]) -> Any:
    convert = {"number": _unknown_number, "integer": _unknown_integer}.get(column.type)
    if convert is not None:
        values = [[convert(item) for item in items] for items in values]
    if pyarrow is None:
        made = numpy.empty(len(values), dtype=object)
        made[:] = [list(items) for items in values]
        return made
    return pandas.array(pyarrow.array(values, type=_list_type(column)), dtype=pandas.ArrowDtype(_list_type(column)))


def _list_type(column: Column) -> Any:
    items = {"number": pyarrow.float64(), "integer": pyarrow.int64()}.get(column.type, pyarrow.string())
    return pyarrow.list_(items)


def _unknown_number(value: Any) -> float | None:
    number = _number(value)
    return None if numpy.isnan(number) else number


def _unknown_integer(value: Any) -> int | None:
    return None if value is None else int(value)


def _own(record: Mapping[str, Any], column: Column) -> Any:
    value = record[column.member]
    if not column.list or column.within is None:
        return value
    return [item[column.within] for item in value]


def _found(organization: Mapping[str, Any], name: str, kind: str) -> Mapping[str, Any]:
    identifier = tables.references(kind)[name].identifier
    return {item[identifier]: item for item in organization.get(name, ())}


def _joined(records: Sequence[Mapping[str, Any]], column: Column, kind: str, items: Mapping[str, Any]) -> list[Any]:
    reference = tables.references(kind)[column.source or ""]
    member = column.member
    nothing: Mapping[str, Any] = {}
    if not reference.is_list:
        unknown: Any = [] if column.list else None
        by_id = {identifier: item.get(member, unknown) for identifier, item in items.items()}
        return [by_id.get(record[reference.member], unknown) for record in records]
    within = reference.within
    return [
        [items.get(one if within is None else one[within], nothing).get(member) for one in record[reference.member]]
        for record in records
    ]


def _typed_array(column: Column, array: Any) -> Any:
    """As the column is declared: coordinates are text in the files, and what is no number is unknown."""
    if column.type == "number" and column.list:
        chunks = [
            pyarrow.ListArray.from_arrays(chunk.offsets, _numbers(chunk.values), mask=chunk.is_null())
            if chunk.offset == 0
            else pyarrow.array([[_unknown_number(item) for item in items] for items in chunk.to_pylist()])
            for chunk in array.chunks
        ]
        return pyarrow.chunked_array(chunks, type=_list_type(column))
    if column.list:
        return array.cast(_list_type(column))
    if column.type == "number" and pyarrow.types.is_string(array.type):
        return pyarrow.chunked_array([_numbers(chunk) for chunk in array.chunks], type=pyarrow.float64())
    return array


def _numbers(texts: Any) -> Any:
    try:
        return pyarrow.compute.cast(texts, pyarrow.float64())
    except pyarrow.ArrowInvalid:
        return pyarrow.array([_unknown_number(text) for text in texts.to_pylist()], type=pyarrow.float64())


def _pandas_type(arrow_type: Any) -> Any:
    if pyarrow.types.is_string(arrow_type):
        return text_type()
    if pyarrow.types.is_boolean(arrow_type):
        return pandas.BooleanDtype()
    return pandas.ArrowDtype(arrow_type) if pyarrow.types.is_list(arrow_type) else None
