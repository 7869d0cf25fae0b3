"""Arguments of Python become the parameters of an operation."""

from __future__ import annotations

import datetime
import difflib
import json
import numbers
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs

from . import tables
from .errors import BadArgument

Query = list[tuple[str, str]]

#: The two names of the boundary, which the service takes as one parameter.
BOUNDARIES = ("search_boundary", "search_geometry", "boundary")


def query_of(operation: str, arguments: Mapping[str, Any]) -> Query:
    """The query, without arguments that are None. An unknown name is refused with the nearest one that there is."""
    known = tables.parameters(operation)
    query: Query = []
    for name, value in arguments.items():
        if value is None:
            continue
        parameter = known.get(_boundary_name(name, known))
        if parameter is None:
            raise BadArgument(unknown_name(name, known, operation))
        if name in BOUNDARIES:
            query.append((parameter["name"], boundary_text(value)))
        elif is_list(value):
            items = list(value)
            if not parameter["repeats"]:
                raise BadArgument(f"{name} takes one value, and not a list of {len(items)}.")
            if not items:
                raise BadArgument(f"{name} is an empty list: leave it out to ask for all, or give a value.")
            query += [(parameter["name"], _text(name, item)) for item in items]
        else:
            query.append((parameter["name"], _text(name, value)))
    return query


def arguments_of(query: str) -> dict[str, str | list[str]]:
    """The arguments that a query string of the service stands for."""
    names = {
        own["name"]: name
        for operation in tables.OPERATIONS.values()
        for name, own in tables.parameters(operation).items()
    }
    arguments: dict[str, str | list[str]] = {}
    for name, values in parse_qs(query).items():
        arguments[names[name]] = values[0] if len(values) == 1 else values
    return arguments


def unknown_name(name: str, known: Iterable[str], where: str) -> str:
    """Says which name may be meant; one that differs in case and underscores alone comes first."""
    names = list(known)
    plain = {one.replace("_", ""): one for one in names}
    near = plain.get(name.replace("_", "").lower()) or next(iter(difflib.get_close_matches(name, names, 1, 0.5)), None)
    advice = f"did you mean {near}?" if near else f"there are {', '.join(names)}."
    return f"{name} is no argument of {where}; {advice}"


def service_name(name: str, operation: str, parameter: str) -> str:
    """A name of GroupBy or Facet, which may be written as an argument (`priority_decade`) or as the service has it."""
    values = tables.parameters(operation)[parameter]["values"]
    plain = {value.lower(): value for value in values}
    found = plain.get(name.replace("_", "").lower())
    if found is None:
        raise BadArgument(unknown_name(name, values, operation))
    return str(found)


def boundary_text(value: Any) -> str:
    """WKT, GeoJSON or a boundary by name, from text, four numbers, GeoJSON, or a geometry of shapely or geopandas."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return json.dumps(value, separators=(",", ":"))
    if hasattr(value, "union_all"):
        value = value.union_all()
    if hasattr(value, "wkt"):
        return str(value.wkt)
    if hasattr(value, "__geo_interface__"):
        return json.dumps(value.__geo_interface__, separators=(",", ":"))
    if is_list(value) and len(value) == 4:
        return "bbox:" + ",".join(_text("boundary", side) for side in value)
    raise BadArgument("A boundary is WKT, GeoJSON, a name such as county:UT/Cache, a geometry, or four numbers.")


def is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))


def _boundary_name(name: str, known: Mapping[str, object]) -> str:
    if name not in BOUNDARIES:
        return name
    return next((other for other in BOUNDARIES if other in known), name)


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return "true" if value else "false"
    if isinstance(value, datetime.date):
        return value.isoformat()[:10]
    if type(value).__name__ == "datetime64":
        return str(value)[:10]
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        # The service reads plain decimal numbers.
        return format(Decimal(repr(float(value))), "f")
    raise BadArgument(f"{name} cannot be {value!r}: give text, a number, a date or a list of them.")
