"""Converts answers to tables and data frames with the columns and types that `tables.json` declares."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import pandas
import pyarrow
import pyarrow.compute
import pyarrow.json

from .tables import TABLES, Column, columns

#: A pyarrow table. pyarrow has no type declarations.
Table = Any
Rows = Sequence[Mapping[str, Any]]

TEXT = pyarrow.string()
TYPES = {
    "number": pyarrow.float64(),
    "integer": pyarrow.int64(),
    "boolean": pyarrow.bool_(),
    "date": pyarrow.timestamp("ms"),
    "timestamp": pyarrow.timestamp("ms"),
}
PANDAS_TYPES = {
    TEXT: pandas.StringDtype("pyarrow"),
    pyarrow.bool_(): pandas.BooleanDtype(),
    pyarrow.int64(): pandas.Int64Dtype(),
}
COORDINATES = ("Longitude", "Latitude")
#: An item of a list in CSV, with the bar after it.
LIST_ITEM = re.compile(r"((?:[^|\\]|\\.)*)\|", re.DOTALL)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
NUMBER = r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$"
#: The column for the GeoJSON geometry of places.
GEOMETRY = Column("geometry")


def from_rows(wanted: Iterable[Column], rows: Rows) -> Table:
    """A table with these columns, filled from the members of the rows with the same names."""
    types = pyarrow.schema({one.name: _type(one) for one in wanted})
    return pyarrow.table({name: pyarrow.array([row[name] for row in rows]) for name in types.names}).cast(types)


def from_features(kind: str, features: Rows) -> Table:
    """A table of the features' properties, which have the names of the columns. Their lists contain no null."""
    lists = [one.name for one in columns(kind) if one.list]
    rows = [
        feature["properties"]
        | {name: [None if one == "" else one for one in feature["properties"][name] or ()] for name in lists}
        | {"geometry": json.dumps(feature["geometry"]) if feature["geometry"] else None}
        for feature in features
    ]
    return from_rows([*columns(kind), GEOMETRY], rows)


def from_csv(kind: str, text: str) -> Table:
    """A table of an answer in CSV, in the order of its rows. An empty cell is a missing value."""
    lists = {one.name for one in columns(kind) if one.list}
    rows = [
        {name: _list_items(cell) if name in lists else _cell_text(cell) for name, cell in row.items()}
        for row in csv.DictReader(io.StringIO(text, newline=""))
    ]
    for name, identifier in _joined_lists(kind):
        for row in rows:
            # A list with one missing value is also an empty cell. The list of identifiers has the same number of items.
            row[name] = row[name] or [None] * len(row[identifier] or [])
    return from_rows(columns(kind), rows)


def _joined_lists(kind: str) -> list[tuple[str, str]]:
    """The columns that contain lists of lookup values, each with the column of the matching identifiers."""
    references = TABLES["references"][kind]
    found = [(one.name, references.get(one.source or one.member)) for one in columns(kind) if one.list]
    return [(name, reference.get("within", reference["member"])) for name, reference in found if reference]


def _cell_text(cell: str) -> str | None:
    # The service puts an apostrophe before a cell that a spreadsheet would run, and before a leading apostrophe.
    return cell.removeprefix("'") or None


def _list_items(cell: str) -> list[str | None]:
    """Splits a list at its bars. In an item, a backslash precedes each bar and backslash."""
    text = _cell_text(cell)
    if text is None:
        return []
    items = LIST_ITEM.findall(f"{text}|")
    return [ESCAPED.sub(r"\1", item) or None for item in items]


def from_records(kind: str, body: bytes) -> Table:
    """A table of the records of an answer in JSON, joined with their lookups."""
    options = pyarrow.json.ReadOptions(use_threads=False, block_size=len(body) + 1)
    parse = pyarrow.json.ParseOptions(explicit_schema=_page_schema(kind), unexpected_field_behavior="ignore")
    read = pyarrow.json.read_json(pyarrow.BufferReader(body), read_options=options, parse_options=parse)
    organizations = read["Organizations"].combine_chunks().flatten()
    joined = [_joined(kind, organizations[index : index + 1]) for index in range(len(organizations))]
    found = pyarrow.concat_tables([from_rows(columns(kind), []), *joined])
    for one in columns(kind) if len(found) else ():
        # pyarrow would silently read a member that the answer lacks as missing values.
        if one.source in (None, "Organization") and f'"{one.member}":'.encode() not in body:
            raise KeyError(one.member)
    return found


@cache
def _page_schema(kind: str) -> Any:
    """The members to read from an answer, with their types in JSON."""
    references = TABLES["references"][kind]
    members: dict[str, Any] = {name: {own["identifier"]: TEXT} for name, own in references.items()} | {kind: {}}
    for one in columns(kind):
        lists_items = one.within or references.get(one.source, {}).get("isList")
        type = _type(one).value_type if lists_items else _type(one)
        owner = members if one.source == "Organization" else members[one.source or kind]
        owner[one.member] = {**owner.get(one.member, {}), one.within: type} if one.within else type

    def listed(shape: Any) -> Any:
        if not isinstance(shape, dict):
            return shape
        return pyarrow.list_(pyarrow.struct([(name, listed(own)) for name, own in shape.items()]))

    return pyarrow.schema({"Organizations": listed(members)})


def _joined(kind: str, organization: Any) -> Table:
    """The records of one organization, joined with their lookups by identifier."""
    items = {name: organization.field(name).flatten() for name in (kind, *TABLES["references"][kind])}

    def own(member: str, within: str | None) -> Any:
        values = items[kind].field(member)
        return _of_each(lambda one: one.field(within), values) if within else values

    places = {}
    for name, reference in TABLES["references"][kind].items():
        identifiers = items[name].field(reference["identifier"])
        find = partial(pyarrow.compute.index_in, value_set=identifiers)
        places[name] = _of_each(find, own(reference["member"], reference.get("within")))
    found = {}
    for one in columns(kind):
        if one.source is None:
            found[one.name] = own(one.member, one.within)
        elif one.source == "Organization":
            found[one.name] = pyarrow.repeat(organization.field(one.member)[0], len(items[kind]))
        else:
            found[one.name] = _of_each(items[one.source].field(one.member).take, places[one.source])
    return pyarrow.table(found)


def _of_each(change: Callable[[Any], Any], values: Any) -> Any:
    """Applies a change to values, or to the items of lists."""
    if not pyarrow.types.is_list(values.type):
        return change(values)
    return pyarrow.ListArray.from_arrays(values.offsets, change(values.values))


def to_pandas(wanted: Iterable[Column], table: Table) -> pandas.DataFrame:
    """Converts a table to a data frame: coordinates become numbers, missing lists become empty.

    Lists become Python lists: other programs cannot read the pandas types of Arrow lists.
    """
    typed = {}
    lists = {}
    for one in wanted:
        values = table[one.name].cast(_type(one))
        if one.list:
            values = pyarrow.compute.coalesce(values, pyarrow.scalar([], _type(one)))
        if one.list or one.name in COORDINATES:
            values = values.combine_chunks()
        if one.name in COORDINATES:
            values = _of_each(_numbers, values)
        if one.list:
            lists[one.name] = _python_lists(values)
            values = pyarrow.nulls(len(table))
        typed[one.name] = values
    made: pandas.DataFrame = pyarrow.table(typed).to_pandas(types_mapper=PANDAS_TYPES.get)
    for name, values in lists.items():
        made[name] = pandas.Series(values, index=made.index, dtype=object)
    return made


def _python_lists(values: Any) -> list[list[Any]]:
    """The lists of a column as Python lists; much faster than to_pylist()."""
    items = values.flatten().to_pylist()
    ends = pyarrow.compute.cumulative_sum(pyarrow.compute.list_value_length(values)).to_pylist()
    return [items[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _type(column: Column) -> Any:
    """The type of a column. Coordinates stay text as submitted, so that updated files keep every digit."""
    item = TEXT if column.name in COORDINATES else TYPES.get(column.type, TEXT)
    return pyarrow.list_(item) if column.list else item


def _numbers(texts: Any) -> Any:
    """Converts coordinates to numbers. Text that is not a number becomes a missing value."""
    known = pyarrow.compute.match_substring_regex(texts, NUMBER)
    return pyarrow.compute.if_else(known, pyarrow.compute.utf8_ltrim(texts, "+"), None).cast(TYPES["number"])
