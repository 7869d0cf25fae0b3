"""Arguments of Python become the parameters of an operation."""

from __future__ import annotations

import datetime
import difflib
import json
import numbers
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qs

import numpy

from .errors import BadArgument
from .tables import OPERATIONS, PARAMETERS

Query = list[tuple[str, str]]

#: The names of the boundary, which the service takes as one parameter.
BOUNDARIES = ("search_boundary", "search_geometry", "boundary")


def query_of(operation: str, arguments: Mapping[str, Any]) -> Query:
    """The query, without arguments that are None. An unknown name is refused with the nearest one that there is."""
    known = PARAMETERS[operation]
    query: Query = []
    for name, value in arguments.items():
        if value is None:
            continue
        names = BOUNDARIES if name in BOUNDARIES else (name,)
        parameter = next((known[one] for one in names if one in known), None)
        if parameter is None:
            raise BadArgument(unknown_name(name, known, operation))
        if name in BOUNDARIES:
            texts = [boundary_text(value)]
        elif is_list(value):
            texts = [_text(name, item) for item in value]
            if not parameter["repeats"]:
                raise BadArgument(f"{name} takes one value, and not a list of {len(texts)}.")
            if not texts:
                raise BadArgument(f"{name} is an empty list: leave it out to ask for all, or give a value.")
        else:
            texts = [_text(name, value)]
        query += [(parameter["name"], text) for text in texts]
    return query


def arguments_of(query: str) -> dict[str, str | list[str]]:
    """The arguments that a query string of the service stands for."""
    names = {own["name"]: name for one in OPERATIONS.values() for name, own in PARAMETERS[one].items()}
    return {names[name]: values if values[1:] else values[0] for name, values in parse_qs(query).items()}


def unknown_name(name: str, known: Iterable[str], where: str) -> str:
    """Says which name may be meant; one that differs in case and underscores alone comes first."""
    names = list(known)
    near = [one for one in names if plain(one) == plain(name)] or difflib.get_close_matches(name, names, 1, 0.5)
    advice = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}."
    return f"{name} is no argument of {where}; {advice}"


def service_name(name: str, values: Iterable[str], where: str) -> str:
    """A name that the service has, which may be written as an argument (`priority_decade`)."""
    found = next((value for value in values if plain(value) == plain(name)), None)
    if found is None:
        raise BadArgument(unknown_name(name, values, where))
    return found


def plain(name: str) -> str:
    return name.replace("_", "").lower()


def boundary_text(value: Any) -> str:
    """WKT, GeoJSON or a boundary by name, from text, four numbers, GeoJSON, or a geometry of shapely or geopandas."""
    if isinstance(value, str):
        return value
    if hasattr(value, "union_all"):
        value = value.union_all()
    if hasattr(value, "wkt"):
        return str(value.wkt)
    value = getattr(value, "__geo_interface__", value)
    if isinstance(value, Mapping):
        return json.dumps(value, separators=(",", ":"))
    if is_list(value) and len(value) == 4:
        return "bbox:" + ",".join(_text("boundary", side) for side in value)
    raise BadArgument("A boundary is WKT, GeoJSON, a name such as county:UT/Cache, a geometry, or four numbers.")


def is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, numpy.bool_)):
        return str(value).lower()
    if isinstance(value, (datetime.date, numpy.datetime64)):
        return str(value)[:10]
    if isinstance(value, numbers.Integral):
        return str(value)
    if isinstance(value, numbers.Real):
        # The service reads plain decimal numbers.
        return numpy.format_float_positional(float(value), trim="-")
    raise BadArgument(f"{name} cannot be {value!r}: give text, a number, a date or a list of them.")
