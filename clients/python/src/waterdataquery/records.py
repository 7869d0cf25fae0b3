"""Records and places: in pages or as files, with their geometries where geopandas is there, and lookups."""

import importlib.util
from typing import Any

import numpy
import pandas
import pyarrow
import pyarrow.compute

from . import frames
from .errors import BadArgument
from .files import Files
from .retrieval import Answer, Metadata, Retrieval, add_licences
from .tables import PLACES, TABLES, columns, kind_of


def records(listing: Retrieval, lookups: bool = False, geometry: bool | None = None) -> Answer:
    """Records in JSON, or from the files of whole data sets; places in GeoJSON."""
    kind = kind_of(listing.operation)
    if kind in PLACES.values():
        listing.query = [*listing.query, ("format", "geojson")]
        return features(listing, geometry)
    listing.columns = columns(kind)
    listing.read = lambda answer, _metadata: frames.from_records(kind, answer.content)
    if listing.limit is None:
        listing.whole = lambda metadata: Files(listing.connection, listing.operation).whole(listing.query, metadata)
    return _completed(listing, kind, lookups, geometry)


def features(listing: Retrieval, geometry: bool | None = None) -> Answer:
    """Places, and what OGC API - Features finds: GeoJSON, whose properties are the columns."""
    kind = kind_of(listing.operation)
    listing.columns = [*columns(kind), frames.GEOMETRY]
    listing.read = lambda answer, _metadata: frames.from_features(kind, answer.json()["features"])
    return _completed(listing, kind, False, geometry)


def _completed(listing: Retrieval, kind: str, lookups: bool, geometry: bool | None) -> Answer:
    """What a listing gives, with geometries, licences and lookups."""
    is_there = importlib.util.find_spec("geopandas") is not None
    if geometry and not is_there:
        raise BadArgument("geometry=True needs geopandas: pip install 'waterdataquery[all]'.")

    def finish(found: pandas.DataFrame, metadata: Metadata | None) -> pandas.DataFrame:
        texts = found.pop("geometry") if frames.GEOMETRY in listing.columns else None
        made = found
        if is_there and geometry is not False:
            import geopandas
            import shapely

            if texts is not None:
                geometries = shapely.from_geojson(texts.astype(object).where(texts.notna(), None))
            elif kind != "AggregatedAmounts":
                geometries = points(found)
            else:
                # Nothing more is asked for after an interruption.
                geometries = _areas(listing, found, metadata) if metadata else [None] * len(found)
            made = geopandas.GeoDataFrame(found, geometry=geometries, crs="EPSG:4326")
        if metadata:
            add_licences(listing.connection, kind, [*found["OrganizationUUID"].unique()], metadata)
        if metadata and lookups:
            metadata.lookups = {name: _lookup(kind, name, found) for name in TABLES["references"][kind]}
        joined = [one.name for one in columns(kind) if one.source not in (None, "Organization")]
        return made.drop(columns=joined) if lookups else made

    listing.finish = finish
    return listing.run()


def _areas(listing: Retrieval, found: pandas.DataFrame, metadata: Metadata) -> Any:
    """The areas of the units that records name, each asked for once."""
    units = found["ReportingUnitUUID"]
    asked = [("DataVersion", metadata.data_version), *(pair for pair in listing.query if pair[0] == "OrganizationUUID")]
    # A parameter may be given a hundred times; of more units all are asked for.
    asked += [("ReportingUnitUUID", str(one)) for one in units.unique()] if units.nunique() <= 100 else []
    places, _ = records(Retrieval(listing.connection, "ReportingUnits", asked), geometry=True)
    return units.map(dict(zip(places["ReportingUnitUUID"], places["geometry"], strict=True)))


def points(found: pandas.DataFrame) -> Any:
    """The point of each record, or the points of all sites of a right; None where there is none."""
    import shapely

    sides = [pyarrow.array(found[name].array) for name in ("Longitude", "Latitude")]
    is_list = pyarrow.types.is_list(sides[0].type)
    x, y = ((pyarrow.compute.list_flatten(one) if is_list else one).to_numpy(zero_copy_only=False) for one in sides)
    # As the service has it: 0, 0 stands for coordinates that nobody knew.
    usable = (numpy.abs(x) <= 180) & (numpy.abs(y) <= 90) & ((x != 0) | (y != 0))
    made = numpy.full(len(found), None, dtype=object)
    if is_list:
        rows = pyarrow.compute.list_parent_indices(sides[0]).to_numpy()
        shapely.multipoints(shapely.points(x[usable], y[usable]), indices=rows[usable], out=made)
    else:
        made[usable] = shapely.points(x[usable], y[usable])
    return made


def _lookup(kind: str, name: str, found: pandas.DataFrame) -> pandas.DataFrame:
    """What the records say of sites, methods and so on, each once for its organization."""
    reference = TABLES["references"][kind][name]
    identifier = reference.get("within", reference["member"])
    own = [one.name for one in columns(kind) if one.source == name]
    rows = found[list(dict.fromkeys(["OrganizationUUID", identifier, *own]))]
    if reference["isList"]:
        rows = rows.explode([identifier, *own])
    keys = ["OrganizationUUID", identifier]
    return rows.dropna(subset=identifier).drop_duplicates(keys).reset_index(drop=True)
