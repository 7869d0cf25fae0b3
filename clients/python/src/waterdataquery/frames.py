"""Answers become tables and data frames with the columns and types that `tables.json` declares."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import pandas
import pyarrow
import pyarrow.compute
import pyarrow.json

from .tables import TABLES, Column, columns, keys

#: A table of pyarrow, which has no types for checkers.
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
COORDINATES = ("Longitude", "Latitude")
NUMBER = r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$"
#: Of places, the geometry as GeoJSON.
GEOMETRY = Column("geometry")


def from_rows(wanted: Iterable[Column], rows: Rows) -> Table:
    """The members of rows that have the names of the columns."""
    types = pyarrow.schema({one.name: _type(one) for one in wanted})
    return pyarrow.table({name: pyarrow.array([row[name] for row in rows]) for name in types.names}).cast(types)


def from_keys(kind: str, removed: Rows) -> Table:
    """The keys of removed records; in their lists items are objects, as in records."""

    def plain(cell: Any) -> Any:
        return [next(iter(item.values())) for item in cell] if isinstance(cell, list) else cell

    rows = [{**one, **{name: plain(cell) for name, cell in one["Key"].items()}} for one in removed]
    return from_rows([Column("OrganizationUUID"), *keys(kind)], rows)


def from_features(kind: str, features: Rows) -> Table:
    """The properties of features, which have the names of the columns; in lists they have no null."""
    lists = [one.name for one in columns(kind) if one.list]
    rows = [
        feature["properties"]
        | {name: [None if one == "" else one for one in feature["properties"][name] or ()] for name in lists}
        | {"geometry": json.dumps(feature["geometry"]) if feature["geometry"] else None}
        for feature in features
    ]
    return from_rows([*columns(kind), GEOMETRY], rows)


def from_records(kind: str, body: bytes) -> Table:
    """The records of an answer in JSON, with what their lookups say joined in."""
    options = pyarrow.json.ReadOptions(use_threads=False, block_size=len(body) + 1)
    parse = pyarrow.json.ParseOptions(explicit_schema=_page_schema(kind), unexpected_field_behavior="ignore")
    read = pyarrow.json.read_json(pyarrow.BufferReader(body), read_options=options, parse_options=parse)
    organizations = read["Organizations"].combine_chunks().flatten()
    joined = [_joined(kind, organizations[index : index + 1]) for index in range(len(organizations))]
    found = pyarrow.concat_tables([from_rows(columns(kind), []), *joined])
    for one in columns(kind) if len(found) else ():
        # What an answer lacks would be unknown in silence.
        if one.source in (None, "Organization") and f'"{one.member}":'.encode() not in body:
            raise KeyError(one.member)
    return found


@cache
def _page_schema(kind: str) -> Any:
    """The members of an answer that are read, with their types in JSON."""
    references = TABLES["references"][kind]
    members: dict[str, Any] = {name: {own["identifier"]: TEXT} for name, own in references.items()} | {kind: {}}
    for one in columns(kind):
        if one.source == "Organization":
            members[one.member] = TEXT
        elif one.within:
            members[kind].setdefault(one.member, {})[one.within] = _type(one).value_type
        else:
            of_items = one.list and one.source and references[one.source]["isList"]
            members[one.source or kind][one.member] = _type(one).value_type if of_items else _type(one)

    def listed(shape: Any) -> Any:
        if not isinstance(shape, dict):
            return shape
        return pyarrow.list_(pyarrow.struct([(name, listed(own)) for name, own in shape.items()]))

    return pyarrow.schema({"Organizations": listed(members)})


def _joined(kind: str, organization: Any) -> Table:
    """The records of one organization, whose lookups are found by their identifiers."""
    records = organization.field(kind).flatten()

    def own(member: str, within: str | None) -> Any:
        values = records.field(member)
        return pyarrow.ListArray.from_arrays(values.offsets, values.values.field(within)) if within else values

    places: dict[str, tuple[Any, Any]] = {}
    for name, reference in TABLES["references"][kind].items():
        identifiers = organization.field(name).flatten().field(reference["identifier"])
        named = own(reference["member"], reference.get("within"))
        flat = named.values if reference["isList"] else named
        places[name] = named, pyarrow.compute.index_in(flat, value_set=identifiers)
    found = {}
    for one in columns(kind):
        if one.source is None:
            found[one.name] = own(one.member, one.within)
        elif one.source == "Organization":
            found[one.name] = pyarrow.repeat(organization.field(one.member)[0], len(records))
        else:
            named, at = places[one.source]
            values = organization.field(one.source).flatten().field(one.member).take(at)
            is_list = TABLES["references"][kind][one.source]["isList"]
            found[one.name] = pyarrow.ListArray.from_arrays(named.offsets, values) if is_list else values
    return pyarrow.table(found)


def _type(column: Column) -> Any:
    """Coordinates are text as submitted, so that files that are brought up to date keep every digit."""
    item = TEXT if column.name in COORDINATES else TYPES.get(column.type, TEXT)
    return pyarrow.list_(item) if column.list else item


def to_pandas(wanted: Iterable[Column], table: Table) -> pandas.DataFrame:
    """A table as pages and files have it, with numbers for coordinates and empty lists for those that are not there."""
    typed = {}
    for one in wanted:
        column = _numbers(table[one.name]) if one.name in COORDINATES else table[one.name]
        item = TYPES.get(one.type, TEXT)
        lists = pyarrow.list_(item)
        typed[one.name] = (
            pyarrow.compute.coalesce(column.cast(lists), pyarrow.scalar([], lists)) if one.list else column.cast(item)
        )
    made: pandas.DataFrame = pyarrow.table(typed).to_pandas(types_mapper=_pandas_type)
    return made


def _numbers(texts: Any) -> Any:
    """Of coordinates; one that is no number is unknown here."""
    lists = texts.combine_chunks()
    flat = lists.values if pyarrow.types.is_list(lists.type) else lists
    known = pyarrow.compute.match_substring_regex(flat, NUMBER)
    numbers = pyarrow.compute.if_else(known, pyarrow.compute.utf8_ltrim(flat, "+"), None).cast(TYPES["number"])
    return numbers if flat is lists else pyarrow.ListArray.from_arrays(lists.offsets, numbers)


def _pandas_type(arrow_type: Any) -> Any:
    if pyarrow.types.is_list(arrow_type):
        return pandas.ArrowDtype(arrow_type)
    text = pandas.StringDtype("pyarrow")
    return {TEXT: text, TYPES["boolean"]: pandas.BooleanDtype(), TYPES["integer"]: pandas.Int64Dtype()}.get(arrow_type)
