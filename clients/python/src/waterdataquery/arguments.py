"""Converts Python arguments to the query parameters of an operation."""

import datetime
import difflib
import json
import math
import numbers
import re
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs

import numpy
import pandas

from .errors import BadArgument
from .tables import NAMES, PARAMETERS

T = TypeVar("T")
Query = list[tuple[str, str]]

#: The file name extensions of a boundary.
FILE_ENDINGS = (".geojson", ".json", ".gpkg", ".shp", ".kml", ".fgb", ".zip", ".parquet")
LONGEST_FILE_NAME = 1000
#: The minimum number of letters of an unknown name for which a known name that contains it is suggested.
SHORTEST_PART = 4
#: Arguments whose values are names of the service, with the start of the error message for an unknown value.
VALUE_NAMES = {"group_by": 'by="{}" is not a grouping', "facet": 'facets="{}" is not a filter with facets'}
#: The Python names of the boundary parameters, which are given as one argument.
BOUNDARIES = ("search_boundary", "search_geometry", "boundary")


def query_of(operation: str, arguments: Mapping[str, Any], function: str) -> Query:
    """Builds the query. Skips arguments that are None; refuses an unknown name and suggests the nearest known one."""
    known = PARAMETERS[operation]
    query: Query = []
    for name, value in arguments.items():
        if value is None:
            continue
        if name in BOUNDARIES:
            name, value = next((one for one in BOUNDARIES if one in known), name), boundary_text(value)
        parameter = chosen(name, known, f'"{name}" is not an argument of {function}')
        texts = [_text(name, one) for one in (value if is_list(value) else [value])]
        if is_list(value) and not parameter["repeats"]:
            raise BadArgument(f"{name} takes one value, not a list of {len(texts)}.")
        if not texts:
            raise BadArgument(f"{name} is an empty list: leave it out for all records, or set a value.")
        if name in VALUE_NAMES:
            texts = [service_name(text, parameter["values"], VALUE_NAMES[name].format(text)) for text in texts]
        # A repeated value counts once.
        query += [(parameter["name"], text) for text in dict.fromkeys(texts)]
    return query


def arguments_of(query: str) -> dict[str, str | list[str]]:
    """Converts a query string of the service to arguments."""
    return {NAMES[name]: values if values[1:] else values[0] for name, values in parse_qs(query).items()}


def chosen(name: str, known: Mapping[str, T], refusal: str) -> T:
    """Looks up a name. Refuses an unknown one with `refusal` and a suggestion."""
    if name in known:
        return known[name]
    near = nearest(name, known)
    advice = f"did you mean {near}?" if near else f"there are {', '.join(known)}."
    raise BadArgument(f"{refusal}; {advice}")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Suggests a known name: one that differs only in case and underscores, else one that contains this name."""
    names = {plain(one): one for one in known}
    wanted = plain(name)
    holding = [one for one in names if len(wanted) >= SHORTEST_PART and wanted in one]
    near = [wanted] if wanted in names else sorted(holding, key=len) or difflib.get_close_matches(wanted, names, 1)
    return names[near[0]] if near else None


def one_of(argument: str, value: Any, known: Mapping[str, T]) -> T:
    """Looks up the value of an argument that allows only a few words."""
    if isinstance(value, str) and value in known:
        return known[value]
    *others, last = [f'"{one}"' for one in known]
    near = nearest(value, known) if isinstance(value, str) else None
    advice = f" Did you mean {near}?" if near else ""
    said = f'"{value}"' if isinstance(value, str) else repr(value)
    raise BadArgument(f"{argument} must be {', '.join(others)} or {last}, not {said}.{advice}")


def service_name(name: str, values: Iterable[str], refusal: str) -> str:
    """Returns the service's spelling of a name that may be given in the form of an argument (`priority_decade`)."""
    names = {snake_case(value): value for value in values}
    return chosen(next((one for one in names if plain(one) == plain(name)), name), names, refusal)


def service_column(name: str, columns: Iterable[str], refusal: str) -> str:
    """Returns the service's spelling of a column that may be given in the form of an argument (`site_uuid`)."""
    names = {column: column for column in columns}
    return chosen(next((one for one in names if plain(one) == plain(name)), name), names, refusal)


def snake_case(name: str) -> str:
    """Converts a name of the service to the Python name."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return NAMES.get(name) or re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", spaced).lower()


def plain(name: str) -> str:
    return name.replace("_", "").lower()


def boundary_text(value: Any) -> str:
    """Converts a boundary to the format that the service accepts.

    Accepts WKT, GeoJSON, a named boundary, the path of a file, four numbers, or a geometry of shapely or
    geopandas. A feature, or a collection with one feature, is replaced by its geometry.
    """
    if isinstance(value, PathLike) or (isinstance(value, str) and _is_file_name(value)):
        return boundary_text(_from_file(Path(value)))
    if isinstance(value, str):
        return _geojson_text(_json_text(value)) if value.lstrip().startswith("{") else value
    if hasattr(value, "union_all"):
        value = (value.to_crs(4326) if value.crs else value).union_all()
    if hasattr(value, "wkt"):
        return str(value.wkt)
    value = getattr(value, "__geo_interface__", value)
    if isinstance(value, Mapping):
        return _geojson_text(value)
    if is_list(value) and len(value) == 4:
        return "bbox:" + ",".join(_text("boundary", side) for side in value)
    raise BadArgument(
        "A boundary is WKT, GeoJSON, a name such as county:UT/Cache, a file, a geometry, or four numbers."
    )


def _json_text(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as cause:
        raise BadArgument(f"boundary looks like GeoJSON but is invalid: {cause}.") from cause


def _geojson_text(value: Any) -> str:
    if isinstance(value, Mapping) and value.get("type") == "FeatureCollection":
        features = value.get("features") or []
        if len(features) != 1:
            raise BadArgument(f"boundary is a FeatureCollection of {len(features)} features: use one of them.")
        value = features[0]
    return json.dumps(value, separators=(",", ":"))


def _is_file_name(text: str) -> bool:
    return len(text) < LONGEST_FILE_NAME and Path(text).suffix.lower() in FILE_ENDINGS


def _from_file(file: Path) -> Any:
    """Reads GeoJSON, or any file that geopandas reads. Several features are merged by their union."""
    if not file.is_file():
        raise BadArgument(f"boundary: there is no file {file}.")
    if file.suffix.lower() in (".geojson", ".json"):
        try:
            return json.loads(file.read_text("utf-8-sig"))
        except ValueError as cause:
            raise BadArgument(f"boundary: {file} is not GeoJSON: {cause}.") from cause
    try:
        import geopandas
    except ImportError as cause:
        raise BadArgument(f"boundary: reading {file} needs geopandas: pip install 'waterdataquery[all]'.") from cause
    try:
        return geopandas.read_file(file)
    except Exception as cause:
        raise BadArgument(f"boundary: {file} cannot be read: {cause}.") from cause


def require_text(name: str, value: Any) -> None:
    if not isinstance(value, str) or not value:
        raise BadArgument(f"{name} must be a text, not {value!r}.")


def require_texts(name: str, value: Any) -> None:
    for one in value if is_list(value) else [value]:
        require_text(name, one)


def require_switch(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise BadArgument(f"{name} must be True or False, not {value!r}.")


def require_seconds(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not float(value) >= 0:
        raise BadArgument(f"{name} must be a number of seconds, 0 or more, not {value!r}.")


def is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))


def _text(name: str, value: Any) -> str:
    if isinstance(value, (bool, numpy.bool_)):
        return str(value).lower()
    if isinstance(value, (str, numbers.Integral)):
        return str(value)
    if isinstance(value, (datetime.date, numpy.datetime64)) and not pandas.isna(value):
        return str(value)[:10]
    if isinstance(value, numbers.Real) and math.isfinite(value):
        # The service accepts only plain decimal numbers.
        return numpy.format_float_positional(float(value), trim="-")
    raise BadArgument(f"{name} cannot be {value!r}: use text, a number, a date or a list of these.")
