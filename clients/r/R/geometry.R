# Geometries of records and places, where sf is there: longitude and latitude of WGS 84.

is_geometry_wanted <- function(geometry) {
  there <- requireNamespace("sf", quietly = TRUE)
  if (isTRUE(geometry) && !there) bad_argument("geometry = TRUE needs the package sf.")
  if (is.null(geometry)) there else geometry
}

# The points of each record; rights have those of all their sites.
record_points <- function(kind, frame) {
  if (kind == "WaterAllocations") {
    made <- Map(function(longitudes, latitudes) {
      usable <- is_on_earth(longitudes, latitudes)
      sf::st_multipoint(cbind(longitudes[usable], latitudes[usable]))
    }, frame$Longitude, frame$Latitude)
    return(sf::st_sfc(made, crs = 4326))
  }
  # Records of one site share a point.
  places <- paste(frame$Longitude, frame$Latitude)
  first <- which(!duplicated(places))
  made <- Map(function(longitude, latitude) {
    if (is_on_earth(longitude, latitude)) sf::st_point(c(longitude, latitude)) else sf::st_point()
  }, frame$Longitude[first], frame$Latitude[first])
  sf::st_sfc(unname(made)[match(places, places[first])], crs = 4326)
}

# As the service has it: 0, 0 stands for coordinates that nobody knew.
is_on_earth <- function(longitudes, latitudes) {
  known <- !is.na(longitudes) & !is.na(latitudes)
  known & abs(longitudes) <= 180 & abs(latitudes) <= 90 & (longitudes != 0 | latitudes != 0)
}

feature_geometries <- function(features) {
  sf::st_sfc(lapply(features, function(feature) {
    if (is.null(feature$geometry)) sf::st_geometrycollection() else geometry_of(feature$geometry)
  }), crs = 4326)
}

# GeoJSON as lists becomes a geometry of sf.
geometry_of <- function(geometry) {
  at <- geometry$coordinates
  positions <- function(list) do.call(rbind, lapply(list, function(position) unlist(position)[1:2]))
  rings <- function(list) lapply(list, positions)
  switch(geometry$type,
    Point = sf::st_point(unlist(at)[1:2]),
    MultiPoint = sf::st_multipoint(positions(at)),
    LineString = sf::st_linestring(positions(at)),
    MultiLineString = sf::st_multilinestring(rings(at)),
    Polygon = sf::st_polygon(rings(at)),
    MultiPolygon = sf::st_multipolygon(lapply(at, rings)),
    sf::st_geometrycollection(lapply(geometry$geometries, geometry_of))
  )
}
