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
NUMBER = r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$"
#: Of places, the geometry as GeoJSON.
GEOMETRY = Column("geometry")


def from_rows(wanted: Iterable[Column], rows: Rows) -> Table:
    """The members of rows that have the names of the columns."""
    types = pyarrow.schema({one.name: _type(one) for one in wanted})
    return pyarrow.table({name: pyarrow.array([row[name] for row in rows]) for name in types.names}).cast(types)


def from_keys(kind: str, removed: Rows) -> Table:
    """The keys of removed records; in their lists items are objects, as in records."""
    rows = [
        {"OrganizationUUID": one["OrganizationUUID"]}
        | {
            key.name: [item[key.within] for item in one["Key"][key.member]] if key.within else one["Key"][key.member]
            for key in keys(kind)
        }
        for one in removed
    ]
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
    item = TEXT if column.name in ("Longitude", "Latitude") else TYPES.get(column.type, TEXT)
    return pyarrow.list_(item) if column.list else item


def to_pandas(wanted: Iterable[Column], table: Table) -> pandas.DataFrame:
    """A table as pages and files have it, with numbers for coordinates."""
    typed = pyarrow.table({one.name: _typed(one, table[one.name]) for one in wanted})
    del table
    # Blocks are made and given back column by column, so that the whole is in memory once.
    made: pandas.DataFrame = typed.to_pandas(types_mapper=_pandas_type, split_blocks=True, self_destruct=True)
    return made


def _typed(column: Column, array: Any) -> Any:
    """As the column is declared; a list that is not there is empty."""
    item = TYPES.get(column.type, TEXT)
    if not column.list:
        return pyarrow.chunked_array([_cast(chunk, item) for chunk in array.chunks], type=item)
    lists = [pyarrow.ListArray.from_arrays(one.offsets, _cast(one.values, item)) for one in array.chunks]
    return pyarrow.chunked_array(lists, type=pyarrow.list_(item))


def _cast(array: Any, wanted: Any) -> Any:
    try:
        return array.cast(wanted)
    except pyarrow.ArrowInvalid:
        if wanted != TYPES["number"]:
            raise
        # A coordinate that is no number is unknown here.
        known = pyarrow.compute.match_substring_regex(array, NUMBER)
        return pyarrow.compute.if_else(known, pyarrow.compute.utf8_ltrim(array, "+"), None).cast(wanted)


def _pandas_type(arrow_type: Any) -> Any:
    if pyarrow.types.is_list(arrow_type):
        return pandas.ArrowDtype(arrow_type)
    text = pandas.StringDtype("pyarrow")
    return {TEXT: text, TYPES["boolean"]: pandas.BooleanDtype(), TYPES["integer"]: pandas.Int64Dtype()}.get(arrow_type)
