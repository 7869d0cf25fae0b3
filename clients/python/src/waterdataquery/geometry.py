"""Geometries of records and places, where geopandas is there."""

from __future__ import annotations

import importlib.util
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


def of_features(texts: pandas.Series[Any]) -> Any:
    import shapely

    return shapely.from_geojson(numpy.array([None if pandas.isna(one) else one for one in texts], dtype=object))


def points(frame: pandas.DataFrame) -> Any:
    """The point of each record; records of one site share one."""
    import shapely

    longitudes = frame["Longitude"].to_numpy("float64")
    latitudes = frame["Latitude"].to_numpy("float64")
    codes, unique = pandas.factorize(longitudes + 1j * latitudes)
    # The last one stands for records without coordinates, whose code is -1.
    made = numpy.full(len(unique) + 1, None, dtype=object)
    usable = numpy.flatnonzero(_on_earth(unique.real, unique.imag))
    made[usable] = shapely.points(unique.real[usable], unique.imag[usable])
    return made[codes]


def multipoints(frame: pandas.DataFrame) -> Any:
    """The points of all sites of each right; None where it has none."""
    import shapely

    lists = [pyarrow.array(frame[name].array) for name in ("Longitude", "Latitude")]
    longitudes, latitudes = (pyarrow.compute.list_flatten(one).to_numpy(zero_copy_only=False) for one in lists)
    lengths = pyarrow.compute.list_value_length(lists[0]).to_numpy(zero_copy_only=False)
    rows = numpy.repeat(numpy.arange(len(frame)), lengths)
    usable = _on_earth(longitudes, latitudes)
    made = numpy.full(len(frame), None, dtype=object)
    shapely.multipoints(shapely.points(longitudes[usable], latitudes[usable]), indices=rows[usable], out=made)
    return made


def _on_earth(longitudes: Any, latitudes: Any) -> Any:
    """As the service has it: 0, 0 stands for coordinates that nobody knew."""
    on_earth = (numpy.abs(longitudes) <= 180) & (numpy.abs(latitudes) <= 90)
    return on_earth & ((longitudes != 0) | (latitudes != 0))
