"""What the service offers, read from `tables.json`, which the repository generates from the service itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

#: The operation of each word that `get_totals` and the others take.
OPERATIONS = {
    "site_amounts": "SiteVariableAmounts",
    "aggregated_amounts": "AggregatedAmounts",
    "allocations": "SiteAllocationAmounts",
    "sites": "Sites",
    "reporting_units": "ReportingUnits",
}


class Column(NamedTuple):
    """A column of a data frame, and where an answer in JSON has its values."""

    name: str
    type: str = "text"
    list: bool = False
    member: str = ""
    within: str | None = None
    #: The lookup that has it, or `Organization`; the others are the record's own.
    source: str | None = None
    #: In a list, the column that says how many items there are (needed for CSV alone).
    identifier: str | None = None


@cache
def _tables() -> Mapping[str, Any]:
    text = resources.files(__package__).joinpath("tables.json").read_text("utf-8")
    tables: Mapping[str, Any] = json.loads(text)
    return tables


def service_version() -> str:
    """The version of the service that this client was made for and is tested with."""
    return str(_tables()["serviceVersion"])


def parameters(operation: str) -> Mapping[str, Mapping[str, Any]]:
    """Name, description, whether it repeats, and its values, by the name that Python has for them."""
    found: Mapping[str, Any] = _tables()["operations"][operation]
    return found


def kind_of(operation: str) -> str:
    """The data set that an operation answers from."""
    return "WaterAllocations" if operation == "SiteAllocationAmounts" else operation


def is_place(kind: str) -> bool:
    return kind in ("Sites", "ReportingUnits")


@cache
def columns(kind: str) -> tuple[Column, ...]:
    return tuple(Column(**own) for own in _tables()["columns"][kind])


def references(kind: str) -> Mapping[str, Mapping[str, Any]]:
    """For each lookup the member by which a record names its items, and the identifier by which they are found."""
    found: Mapping[str, Any] = _tables()["references"][kind]
    return found


def keys(kind: str) -> list[Column]:
    """The columns that tell a record from all others of its organization, in which order records stand."""
    by_name = {one.name: one for one in columns(kind)}
    return [by_name[name] for name in _tables()["keys"][kind]]


def totals_columns(operation: str, groups: Iterable[str]) -> list[Column]:
    """The groups that are asked for, and what a row of totals has beside them."""
    own = _tables()["totals"][operation]
    types = {**{name: own["groups"][name] for name in groups}, **own["members"]}
    return [Column(name, kind) for name, kind in types.items()]
