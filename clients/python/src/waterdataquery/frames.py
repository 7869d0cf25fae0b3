"""Answers become data frames with the columns and types that `tables.json` declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import pandas
import pyarrow
import pyarrow.compute
import pyarrow.json

from . import tables
from .tables import Column

TEXT = pyarrow.string()
TYPES = {
    "number": pyarrow.float64(),
    "integer": pyarrow.int64(),
    "boolean": pyarrow.bool_(),
    "date": pyarrow.timestamp("ms"),
    "timestamp": pyarrow.timestamp("ms"),
}


def text_type() -> Any:
    return pandas.StringDtype("pyarrow")


def frame(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> pandas.DataFrame:
    """Without rows a column is empty, and has its type all the same."""
    return from_arrow(columns, pyarrow.table({one.name: [row.get(one.name) for row in rows] for one in columns}))


def from_features(kind: str, features: Sequence[Mapping[str, Any]]) -> pandas.DataFrame:
    """The properties of OGC features, which have the names of the columns; in lists they have no null."""
    lists = [one.name for one in tables.columns(kind) if one.list]
    rows = [
        feature["properties"]
        | {name: [None if one == "" else one for one in feature["properties"][name] or ()] for name in lists}
        for feature in features
    ]
    return frame(tables.columns(kind), rows)


def from_arrow(columns: Iterable[Column], table: Any) -> pandas.DataFrame:
    """A table as the service has it in pages and files, where coordinates are text."""
    typed = pyarrow.table({one.name: _typed(one, table[one.name]) for one in columns})
    del table
    # Blocks are made and given back column by column, so that the whole is in memory once.
    made: pandas.DataFrame = typed.to_pandas(types_mapper=_pandas_type, split_blocks=True, self_destruct=True)
    return made


def read_page(kind: str, body: bytes) -> Any:
    """The records of an answer in JSON as a table, what their lookups say joined in."""
    options = pyarrow.json.ReadOptions(use_threads=False, block_size=len(body) + 1)
    parse = pyarrow.json.ParseOptions(explicit_schema=_page_schema(kind), unexpected_field_behavior="ignore")
    read = pyarrow.json.read_json(pyarrow.BufferReader(body), read_options=options, parse_options=parse)
    organizations = read["Organizations"].combine_chunks().flatten()
    joined = [_joined(kind, organizations[index : index + 1]) for index in range(len(organizations))]
    found = pyarrow.concat_tables([empty(kind), *joined])
    if len(found):
        # What an answer lacks would be unknown in silence.
        for member in ("OrganizationName", *_record_members(kind)):
            if f'"{member}":'.encode() not in body:
                raise KeyError(member)
    return found


def geometry_texts(kind: str) -> tuple[str, ...]:
    """What a page says of the geometries of places, as text."""
    return {"Sites": ("SiteGeometry",), "ReportingUnits": ("ReportingUnitGeometry",)}.get(kind, ())


@cache
def _record_members(kind: str) -> Mapping[str, Any]:
    """The members of a record that are read, with their types in JSON."""
    members: dict[str, Any] = dict.fromkeys(geometry_texts(kind), TEXT)
    within: dict[str, list[Any]] = {}
    for one in tables.columns(kind):
        if one.source is None and one.within:
            within.setdefault(one.member, []).append((one.within, _item_type(one)))
        elif one.source is None:
            members[one.member] = _arrow_type(one)
    return {**members, **{name: pyarrow.list_(pyarrow.struct(fields)) for name, fields in within.items()}}


@cache
def _page_schema(kind: str) -> Any:
    lists = {kind: _record_members(kind)}
    for name, reference in tables.references(kind).items():
        own = {one.member: _item_type(one) if reference["isList"] else _arrow_type(one) for one in _of(kind, name)}
        lists[name] = {reference["identifier"]: TEXT, **own}
    organization = {one.member: TEXT for one in _of(kind, "Organization")}
    fields = {name: pyarrow.list_(pyarrow.struct(list(own.items()))) for name, own in lists.items()}
    return pyarrow.schema({"Organizations": pyarrow.list_(pyarrow.struct([*organization.items(), *fields.items()]))})


@cache
def empty(kind: str) -> Any:
    types = {one.name: _arrow_type(one) for one in tables.columns(kind)}
    return pyarrow.schema({**types, **dict.fromkeys(geometry_texts(kind), TEXT)}).empty_table()


def _joined(kind: str, organization: Any) -> Any:
    """The records of one organization, whose lookups are found by their identifiers."""
    records = organization.field(kind).flatten()
    found: dict[str, Any] = {}
    for one in tables.columns(kind):
        if one.source is None:
            found[one.name] = _own(records, one.member, one.within)
        elif one.source == "Organization":
            found[one.name] = pyarrow.repeat(organization.field(one.member)[0], len(records))
    for name, reference in tables.references(kind).items():
        items = organization.field(name).flatten()
        names = _own(records, reference["member"], reference.get("within"))
        flat = names.values if reference["isList"] else names
        at = pyarrow.compute.index_in(flat, value_set=items.field(reference["identifier"]))
        for one in _of(kind, name):
            values = items.field(one.member).take(at)
            found[one.name] = pyarrow.ListArray.from_arrays(names.offsets, values) if reference["isList"] else values
    found |= {name: records.field(name) for name in geometry_texts(kind)}
    return pyarrow.table({name: found[name] for name in empty(kind).column_names})


def _own(records: Any, member: str, within: str | None) -> Any:
    values = records.field(member)
    if within is None:
        return values
    return pyarrow.ListArray.from_arrays(values.offsets, values.values.field(within))


def _of(kind: str, source: str) -> list[Column]:
    return [one for one in tables.columns(kind) if one.source == source]


def _item_type(column: Column) -> Any:
    """Coordinates are text as submitted, so that files that are brought up to date keep every digit."""
    return TEXT if column.name in ("Longitude", "Latitude") else TYPES.get(column.type, TEXT)


def _arrow_type(column: Column) -> Any:
    return pyarrow.list_(_item_type(column)) if column.list else _item_type(column)


def _typed(column: Column, array: Any) -> Any:
    """As the column is declared; a list that is not there is empty."""
    item = TYPES.get(column.type, TEXT)
    if not column.list:
        return pyarrow.chunked_array([_cast(chunk, item) for chunk in array.chunks], type=item)
    lists = pyarrow.list_(item)
    there = array.cast(lists) if pyarrow.types.is_null(array.type) else array
    chunks = [pyarrow.ListArray.from_arrays(one.offsets, _cast(one.values, item)) for one in there.chunks]
    return pyarrow.chunked_array(chunks, type=lists)


def _cast(array: Any, wanted: Any) -> Any:
    try:
        return array.cast(wanted)
    except pyarrow.ArrowInvalid:
        if wanted != TYPES["number"]:
            raise
        # A coordinate that is no number is unknown here.
        return pyarrow.array([_number(text) for text in array.to_pylist()], wanted, from_pandas=True)


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


def _pandas_type(arrow_type: Any) -> Any:
    if pyarrow.types.is_list(arrow_type):
        return pandas.ArrowDtype(arrow_type)
    known = {TEXT: text_type(), TYPES["boolean"]: pandas.BooleanDtype(), TYPES["integer"]: pandas.Int64Dtype()}
    return known.get(arrow_type)
