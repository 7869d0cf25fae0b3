"""Water data of the Western states as data frames.

    import waterdataquery as water

    rights, metadata = water.get_allocations(state="OK", county="Caddo")

Set WATER_DATA_URL and WATER_DATA_KEY, or give `url=` and `key=`.
"""

from .api import (
    download,
    find,
    get_aggregated_amounts,
    get_allocations,
    get_changes,
    get_facets,
    get_reporting_units,
    get_site_amounts,
    get_sites,
    get_terms,
    get_totals,
    query,
)
from .errors import (
    BadArgument,
    ConnectionFailed,
    Interrupted,
    KeyRefused,
    NotOffered,
    ServiceBusy,
    TooManyRequests,
    VersionGone,
    WaterDataError,
)
from .metadata import Metadata
from .tables import service_version as _service_version

__version__ = "1.0.0"

#: The version of the service that this client is tested with.
TESTED_WITH = _service_version()

__all__ = [
    "TESTED_WITH",
    "BadArgument",
    "ConnectionFailed",
    "Interrupted",
    "KeyRefused",
    "Metadata",
    "NotOffered",
    "ServiceBusy",
    "TooManyRequests",
    "VersionGone",
    "WaterDataError",
    "download",
    "find",
    "get_aggregated_amounts",
    "get_allocations",
    "get_changes",
    "get_facets",
    "get_reporting_units",
    "get_site_amounts",
    "get_sites",
    "get_terms",
    "get_totals",
    "query",
]
