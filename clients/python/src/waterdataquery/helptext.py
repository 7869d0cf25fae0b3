"""Builds the help of the functions from `tables.json`: arguments, groups and facets."""

import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar

from .arguments import BOUNDARIES, snake_case
from .connection import PATIENCE
from .tables import PARAMETERS, RECORDS, TABLES

F = TypeVar("F", bound=Callable[..., Any])

#: Arguments of the functions for records and places that are not parameters of the service.
OWN_ARGUMENTS = {
    "limit": "The number of records to return, from the first one.",
    "columns": "The columns to keep, in this order, such as ['SiteUUID', 'Amount']; the geometry stays.",
    "lookups": "True leaves sites, methods and so on out of the rows and returns them in `metadata.lookups`.",
    "geometry": "Whether to add geometries. The default is True if geopandas is installed.",
}

#: Arguments of every function that are not parameters of the service.
CONNECTION_ARGUMENTS = {
    "url": "Address of the service. Default: the environment variable WATER_DATA_URL.",
    "key": "Access key. Default: WATER_DATA_KEY, or the file `key` in the configuration folder.",
    "patience": f"Seconds to wait at most after a 429, a 503 or a broken connection. Default: {PATIENCE:.0f}.",
    "progress": "Whether to show progress. Default (None): only on terminals and in notebooks.",
}

BOUNDARY = (
    "A geometry of shapely or geopandas, WKT, GeoJSON, the path of a file with one, four numbers (west, south, east, "
    "north), or a name such as county:UT/Cache, huc8:14010001, state:UT, site:UUID or reportingunit:UUID."
)
#: The service's descriptions of repeated parameters. In the client, lists may be longer.
REPEATED = re.compile(r"May be given up to 100 times, meaning any of the values\.|One value or a list of up to 100\b")


def documented(operation: str) -> Callable[[F], F]:
    """Adds the parameters of an operation to the help and to the signature that editors and notebooks show."""
    described: dict[str, str] = {}
    for name, own in PARAMETERS[operation].items():
        if name in BOUNDARIES:
            described["boundary"] = BOUNDARY
        else:
            described[name] = REPEATED.sub(_short_list, own["description"])

    def add(function: F) -> F:
        parameters = inspect.signature(function).parameters
        own = {name: one for name, one in parameters.items() if name != "arguments"}
        texts = {name: text for name, text in OWN_ARGUMENTS.items() if name in own} | described | CONNECTION_ARGUMENTS
        _add_lines(function, "Arguments:", [f"{name}: {text}" for name, text in texts.items()])
        named = [name for name in texts if name not in own]
        keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in named]
        function.__signature__ = inspect.Signature([*own.values(), *keywords])  # type: ignore[attr-defined]
        return function

    return add


def documented_groups(function: F) -> F:
    """Adds the valid values of `by`."""
    groups = {kind: TABLES["totals"][operation]["groups"] for kind, operation in RECORDS.items()}
    return _add_lines(function, "Values of `by`, one or a list:", _listed(groups))


def documented_facets(function: F) -> F:
    """Adds the valid values of `facets`."""
    facets = {kind: PARAMETERS[f"{operation}/Facets"]["facet"]["values"] for kind, operation in RECORDS.items()}
    return _add_lines(function, "Values of `facets`, one or a list:", _listed(facets))


def _listed(names: dict[str, Any]) -> list[str]:
    return [f"{kind}: {', '.join(snake_case(name) for name in known)}" for kind, known in names.items()]


def _short_list(found: re.Match[str]) -> str:
    return "One value or a list." if found[0].endswith(".") else "One value or a list"


def _add_lines(function: F, title: str, lines: list[str]) -> F:
    text = inspect.cleandoc(function.__doc__ or "")
    function.__doc__ = "\n".join([text, "", title, *(f"    {line}" for line in lines)])
    return function
