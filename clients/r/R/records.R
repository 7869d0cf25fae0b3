# Records and places, with geometries if sf is installed, and with lookups.

# Removes `limit`, `columns`, `lookups` and `geometry`, which are not parameters of the service, from the query. If
# `asked` is FALSE, an empty result gives no message.
read_records <- function(operation, arguments, asked = TRUE) {
  own <- names(arguments) %in% c("limit", "columns", "lookups", "geometry")
  if (!is.null(arguments$lookups)) require_switch("lookups", arguments$lookups)
  kind <- kind_of(operation)
  question <- open_question(operation, arguments[!own], arguments$limit)
  question <- c(question, list(
    kind = kind, lookups = isTRUE(arguments$lookups), geometry = is_geometry_wanted(arguments$geometry), asked = asked,
    chosen = chosen_columns(kind, arguments$columns)
  ))
  # CSV of places has no geometries.
  question$form <- c(format = if (is_place(question$kind)) "geojson" else "csv")
  collect_records(question)
}

# The service's names for the columns in `columns`; NULL for all columns.
chosen_columns <- function(kind, columns) {
  if (is.null(columns)) return()
  require_texts("columns", columns)
  if (length(columns) == 0) bad_argument("columns is empty: leave it out for all columns, or name some.")
  known <- c(names(columns_of(kind)), "geometry")
  unique(service_names(columns, known, "columns: \"%s\" is not a column", known))
}

is_geometry_wanted <- function(geometry) {
  if (!is.null(geometry)) require_switch("geometry", geometry)
  there <- requireNamespace("sf", quietly = TRUE)
  if (isTRUE(geometry) && !there) bad_argument("geometry = TRUE needs the package sf.")
  if (is.null(geometry)) there else geometry
}

# Fetches records in CSV or GeoJSON; properties in GeoJSON have the names of the columns.
collect_records <- function(question) {
  question$columns <- columns_of(question$kind)
  question$join <- function(found) joined_rows(found, question$query, identifiers_of(question$kind))
  read <- function(answer) {
    if ("csv" %in% question$form) return(from_csv(question$columns, answer$file))
    features <- jsonlite::read_json(answer$file)$features
    found <- from_rows(question$columns, lapply(features, `[[`, "properties"))
    if (question$geometry) found$geometry <- lapply(features, function(feature) geometry_of(feature$geometry))
    found
  }
  collect(question, read, function(found) shaped(question, found), whole = function(made) whole_of(question, made))
}

# Adds metadata and geometries to the frame, and removes the columns of lookups, as requested.
shaped <- function(question, found) {
  kind <- question$kind
  made <- metadata(found)
  geometries <- if ("geometry" %in% names(found)) sf::st_sfc(found$geometry, crs = 4326)
  else if (question$geometry && !is.null(made)) {
    if (kind == "AggregatedAmounts") unit_areas(question, found, made) else record_points(kind, found)
  }
  found <- found[names(question$columns)]
  made <- with_licences(question, found, made)
  if (isTRUE(question$lookups)) {
    made$lookups <- lookups_of(kind, found)
    found <- found[vapply(question$columns, function(one) is.null(one$source) || one$source == "Organization", TRUE)]
  }
  if (!is.null(question$chosen)) found <- found[intersect(question$chosen, names(found))]
  if (!is.null(geometries)) found <- sf::st_as_sf(tibble::add_column(found, geometry = geometries))
  structure(found, metadata = made)
}

# The sites, methods and so on of the records, each once for its organization.
lookups_of <- function(kind, found) {
  references <- tables$references[[kind]]
  Map(function(reference, name) {
    own <- names(Filter(function(one) identical(one$source, name), columns_of(kind)))
    identifier <- if (is.null(reference$within)) reference$member else reference$within
    rows <- rep(seq_len(nrow(found)), if (reference$isList) lengths(found[[identifier]]) else 1)
    flat <- lapply(found[unique(c(identifier, own))], function(column) {
      if (reference$isList) unlist(column) else column[rows]
    })
    made <- as_frame(c(list(OrganizationUUID = found$OrganizationUUID[rows]), flat))
    made[!is.na(made[[identifier]]) & !duplicated(made[c("OrganizationUUID", identifier)]), ]
  }, references, names(references))
}

# The areas of the records' reporting units; sf uses longitude and latitude of WGS 84.
unit_areas <- function(question, found, made) {
  own <- unname(question$query[names(question$query) == "OrganizationUUID"])
  units <- read_records("ReportingUnits", c(
    list(organization_uuid = if (length(own)) own, data_version = made$data_version, geometry = TRUE),
    question$connection[names(connection_arguments)]
  ), asked = FALSE)
  at <- match(found$ReportingUnitUUID, units$ReportingUnitUUID, nomatch = nrow(units) + 1)
  c(sf::st_geometry(units), sf::st_sfc(sf::st_geometrycollection(), crs = 4326))[at]
}

# The points of each record; a right has the points of all its sites.
record_points <- function(kind, frame) {
  is_right <- kind == "WaterAllocations"
  # Records of the same site share a point.
  places <- if (is_right) seq_len(nrow(frame)) else paste(frame$Longitude, frame$Latitude)
  first <- which(!duplicated(places))
  made <- Map(function(longitudes, latitudes) {
    # The service also treats 0, 0 as unknown coordinates.
    usable <- which(abs(longitudes) <= 180 & abs(latitudes) <= 90 & (longitudes != 0 | latitudes != 0))
    points <- cbind(longitudes[usable], latitudes[usable])
    if (is_right) sf::st_multipoint(points) else if (length(usable)) sf::st_point(points[1, ]) else sf::st_point()
  }, frame$Longitude[first], frame$Latitude[first])
  sf::st_sfc(unname(made)[match(places, places[first])], crs = 4326)
}

# Converts GeoJSON in lists to a geometry of sf.
geometry_of <- function(geometry) {
  if (is.null(geometry)) return(sf::st_geometrycollection())
  if (geometry$type == "GeometryCollection") return(sf::st_geometrycollection(lapply(geometry$geometries, geometry_of)))
  # The function for Point is st_point(), and so on.
  make <- getExportedValue("sf", paste0("st_", tolower(geometry$type)))
  make(positions_of(geometry$coordinates))
}

# A position, a matrix of positions, or nested lists of these, as deep as the coordinates.
positions_of <- function(coordinates) {
  if (is.numeric(coordinates[[1]])) return(unlist(coordinates)[1:2])
  parts <- lapply(coordinates, positions_of)
  if (is.list(parts[[1]]) || is.matrix(parts[[1]])) parts else do.call(rbind, parts)
}
