"""Geometries of records and places, where geopandas is there."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any

import numpy
import pandas
import pyarrow
import pyarrow.compute

from .errors import BadArgument

#: Longitude and latitude of WGS 84.
CRS = "EPSG:4326"


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


def of_places(frame: pandas.DataFrame, texts: list[Any]) -> Any:
    """The geometry of each place: what it has as text (WKT), else its point."""
    import shapely

    made = numpy.full(len(frame), None, dtype=object)
    for own in texts:
        made = shapely.from_wkt(numpy.array(own.to_pylist(), dtype=object), on_invalid="ignore")
    west, south, east, north = shapely.bounds(made).T
    made[~(_on_earth(west, south) & _on_earth(east, north))] = None
    if "Longitude" in frame:
        lacks = numpy.array([geometry is None for geometry in made], dtype=bool)
        made[lacks] = points(frame)[lacks]
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
    array = pyarrow.array(lists.array)
    lengths = pyarrow.compute.list_value_length(array).to_numpy(zero_copy_only=False)
    return lengths, pyarrow.compute.list_flatten(array).to_numpy(zero_copy_only=False)


def _on_earth(longitudes: Any, latitudes: Any) -> Any:
    """As the service has it: 0, 0 stands for coordinates that nobody knew."""
    on_earth = (numpy.abs(longitudes) <= 180) & (numpy.abs(latitudes) <= 90)
    return on_earth & ((longitudes != 0) | (latitudes != 0))
