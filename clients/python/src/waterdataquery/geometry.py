"""Geometries of records and places, where geopandas is there."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any

import numpy
import pandas

from .errors import BadArgument

#: Longitude and latitude of WGS 84.
CRS = "EPSG:4326"

#: The members of a place that have its geometry as text.
TEXTS = ("SiteGeometry", "Geometry", "ReportingUnitGeometry")


def is_wanted(geometry: bool | None) -> bool:
    """None means: where geopandas is there."""
    there = importlib.util.find_spec("geopandas") is not None
    if geometry and not there:
        raise BadArgument("geometry=True needs geopandas: pip install 'waterdataquery[geo]'.")
    return there if geometry is None else geometry


def with_geometry(frame: pandas.DataFrame, geometries: Any) -> pandas.DataFrame:
    import geopandas

    made: pandas.DataFrame = geopandas.GeoDataFrame(frame, geometry=geometries, crs=CRS)
    return made


def points(frame: pandas.DataFrame) -> Any:
    """The point of each record; records of one site share one."""
    import shapely

    longitudes = frame["Longitude"].to_numpy("float64")
    latitudes = frame["Latitude"].to_numpy("float64")
    codes, unique = pandas.factorize(longitudes + 1j * latitudes)
    # The last one stands for records without coordinates, whose code is -1.
    made = numpy.full(len(unique) + 1, None, dtype=object)
    usable = _on_earth(unique.real, unique.imag)
    made[:-1][usable] = shapely.points(unique.real[usable], unique.imag[usable])
    return made[codes]


def multipoints(frame: pandas.DataFrame) -> Any:
    """The points of all sites of each right; None where it has none."""
    import shapely

    lengths, longitudes = _flat(frame["Longitude"])
    latitudes = _flat(frame["Latitude"])[1]
    rows = numpy.repeat(numpy.arange(len(frame)), lengths)
    usable = _on_earth(longitudes, latitudes)
    rows = rows[usable]
    made = numpy.full(len(frame), None, dtype=object)
    if len(rows):
        have = numpy.unique(rows)
        indices = numpy.searchsorted(have, rows)
        made[have] = shapely.multipoints(shapely.points(longitudes[usable], latitudes[usable]), indices=indices)
    return made


def of_items(items: list[Mapping[str, Any]]) -> Any:
    """The geometry of each place: what it has as text, else its point."""
    import shapely

    texts = [next((item[name] for name in TEXTS if item.get(name)), None) for item in items]
    made = shapely.from_wkt(numpy.array(texts, dtype=object), on_invalid="ignore")
    west, south, east, north = shapely.bounds(made).T
    made[~(_on_earth(west, south) & _on_earth(east, north))] = None
    lacks = numpy.array([geometry is None for geometry in made], dtype=bool)
    if lacks.any() and "Longitude" in items[0]:
        coordinates = pandas.DataFrame(
            {name: pandas.to_numeric(pandas.Series([item[name] for item in items]), "coerce") for name in _AXES}
        )
        made[lacks] = points(coordinates)[lacks]
    return made


def of_features(features: list[Mapping[str, Any]]) -> Any:
    import shapely.geometry

    made = numpy.full(len(features), None, dtype=object)
    for index, feature in enumerate(features):
        if feature["geometry"] is not None:
            made[index] = shapely.geometry.shape(feature["geometry"])
    return made


def _flat(lists: pandas.Series[Any]) -> tuple[Any, Any]:
    """How many items each list has, and all items one after the other."""
    if isinstance(lists.dtype, pandas.ArrowDtype):
        import pyarrow.compute

        array = pyarrow.array(lists.array)
        lengths = pyarrow.compute.list_value_length(array).to_numpy()
        return lengths, pyarrow.compute.list_flatten(array).to_numpy(zero_copy_only=False)
    items = [numpy.nan if one is None else one for own in lists for one in own]
    return lists.map(len).to_numpy("int64"), numpy.array(items, dtype="float64")


_AXES = ("Longitude", "Latitude")


def _on_earth(longitudes: Any, latitudes: Any) -> Any:
    """As the service has it: 0, 0 stands for coordinates that nobody knew."""
    on_earth = (numpy.abs(longitudes) <= 180) & (numpy.abs(latitudes) <= 90)
    return on_earth & ((longitudes != 0) | (latitudes != 0))
