"""Water data of the Western states as data frames.

    import waterdataquery as water

    rights, metadata = water.get_allocations(state="OK", county="Caddo")

Set WATER_DATA_URL and WATER_DATA_KEY, or pass `url=` and `key=`.
"""

from .api import download as download
from .api import find as find
from .api import get_aggregated_amounts as get_aggregated_amounts
from .api import get_allocations as get_allocations
from .api import get_changes as get_changes
from .api import get_facets as get_facets
from .api import get_reporting_units as get_reporting_units
from .api import get_site_amounts as get_site_amounts
from .api import get_sites as get_sites
from .api import get_terms as get_terms
from .api import get_totals as get_totals
from .api import query as query
from .errors import BadArgument as BadArgument
from .errors import ConnectionFailed as ConnectionFailed
from .errors import Interrupted as Interrupted
from .errors import KeyRefused as KeyRefused
from .errors import NotFromService as NotFromService
from .errors import NothingFound as NothingFound
from .errors import NotOffered as NotOffered
from .errors import ServiceBusy as ServiceBusy
from .errors import TooManyRequests as TooManyRequests
from .errors import VersionGone as VersionGone
from .errors import WaterDataError as WaterDataError
from .retrieval import Metadata as Metadata
from .submissions import check_submission as check_submission
from .submissions import submission as submission
from .submissions import submit as submit
from .tables import TESTED_WITH as TESTED_WITH
from .writing import flatten as flatten
from .writing import write as write

__version__ = "1.0.0"
