# The functions that an analyst calls. What they take is in tables.json, from where their help is written, too.

#' Records and places as data frames
#'
#' @description
#' `read_site_amounts()` gives time series at sites: gages, reservoirs, and public supply with its points of diversion
#' and places of use. `read_aggregated_amounts()` gives amounts of reporting units, such as counties and watersheds.
#' `read_allocations()` gives water rights; one has many sites, so that what sites say are lists. `read_sites()` and
#' `read_reporting_units()` give places, with the variables that each has amounts of, and for how long.
#'
#' Up to 20,000 records come in pages side by side, more as an export, and everything of a data set as its file, which
#' is kept and later brought up to date by what changed. All are of one version of the data.
#'
#' @eval document_arguments(documented_operations[1:5])
#' @param limit Takes the first so many records.
#' @param lookups `TRUE` leaves sites and so on out of the rows, and gives them as `metadata(x)$lookups`.
#' @param geometry Adds geometries or leaves them out; `TRUE` where sf is installed when not given.
#' @return A tibble, or with geometry a data frame of sf, with a row for each record; [metadata()] says where from.
#' @seealso [water_data_error] for what can go wrong.
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' amounts <- read_site_amounts(state = "UT", start_date = "2010-01-01", limit = 100)
#' rights <- read_allocations(county = "Caddo", state = "OK")
read_site_amounts <- function(..., limit = NULL, lookups = FALSE, geometry = NULL) {
  read_records("SiteVariableAmounts", c(as.list(environment()), list(...)))
}

#' @rdname read_site_amounts
#' @export
read_aggregated_amounts <- function(..., limit = NULL, lookups = FALSE, geometry = NULL) {
  read_records("AggregatedAmounts", c(as.list(environment()), list(...)))
}

#' @rdname read_site_amounts
#' @export
read_allocations <- function(..., limit = NULL, lookups = FALSE, geometry = NULL) {
  read_records("SiteAllocationAmounts", c(as.list(environment()), list(...)))
}

#' @rdname read_site_amounts
#' @export
read_sites <- function(..., limit = NULL, geometry = NULL) {
  read_records("Sites", c(as.list(environment()), list(...)))
}

#' @rdname read_site_amounts
#' @export
read_reporting_units <- function(..., limit = NULL, geometry = NULL) {
  read_records("ReportingUnits", c(as.list(environment()), list(...)))
}

#' Counts and sums of what filters find, in groups
#'
#' Amounts of different units or statistics are never added up, and have rows of their own. Where
#' `metadata(x)$groups_overlap` a record is in several groups, and rows do not add up to the whole.
#'
#' @param kind "site_amounts", "aggregated_amounts" or "allocations".
#' @param by Groups, such as "priority_decade", "water_year" or "county".
#' @param ... Filters as [read_site_amounts()] and the others have them, and `url`, `key`, `patience`, `progress`.
#' @return A tibble with a row for each group.
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' read_totals("allocations", by = "priority_decade", county = "Caddo", state = "OK")
read_totals <- function(kind, by = character(), ...) {
  operation <- paste0(operation_of(kind), "/Totals")
  totals <- tables$totals[[operation_of(kind)]]
  groups <- service_names(by, names(totals$groups), "read_totals")
  opened <- open_query(operation, list(...))
  query <- c(opened$query, repeated("GroupBy", groups))
  listing <- json_listing(paste0("/v1/", operation), query, "Totals")
  collect(opened$connection, listing, function(rows, state) {
    types <- unlist(c(totals$groups[groups], totals$members))
    found <- from_rows(rows, types[!duplicated(names(types))])
    made <- if (!is.null(state)) c(metadata_of(state), groups_overlap = state$json$GroupsOverlap)
    with_metadata(found, made)
  })
}

#' What each value of a filter would find, and which values filters know
#'
#' `read_facets()` counts with all other filters as they are; it lists at most 1,000 values of a facet, and
#' `metadata(x)$hint` says of how many others there are. `read_terms()` lists the values of the data sets, with how many
#' records have each.
#'
#' @inheritParams read_totals
#' @param facets Filters, such as "beneficial_use_cv".
#' @return A tibble with a row for each value.
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' read_facets("allocations", "beneficial_use_cv", state = "OK")
#' read_terms("allocations", "beneficial_use_cv")
read_facets <- function(kind, facets, ...) {
  operation <- paste0(operation_of(kind), "/Facets")
  chosen <- service_names(facets, unlist(parameters_of(operation)$facet$values), "read_facets")
  opened <- open_query(operation, list(...))
  query <- c(opened$query, repeated("Facet", chosen))
  answer <- fetch_one(opened$connection, paste0("/v1/", operation), query)
  rows <- list()
  more <- character()
  for (facet in answer$json$Facets) {
    rows <- c(rows, lapply(facet$Values, function(value) c(list(Facet = facet$Name), value)))
    if (facet$MoreValues > 0) more <- c(more, sprintf("%s has %d more values", facet$Name, facet$MoreValues))
  }
  answer$total <- answer$json$TotalCount
  if (length(more)) answer$header[["query-hint"]] <- paste(more, collapse = "; ")
  with_metadata(from_rows(rows, c(Facet = "text", Value = "text", Count = "integer")), metadata_of(answer))
}

#' @rdname read_facets
#' @param parameter The filter whose values are listed; all when not given.
#' @export
read_terms <- function(kind = NULL, parameter = NULL, ...) {
  data_set <- if (!is.null(kind)) kind_of(operation_of(kind))
  known <- unlist(lapply(documented_operations[1:5], function(one) names(parameters_of(one))))
  if (!is.null(parameter)) service_names(parameter, unique(known), "read_terms")
  opened <- open_query("Inventory", list(...))
  answer <- fetch_one(opened$connection, "/v1/Inventory", opened$query)
  rows <- unlist(unname(lapply(answer$json$Organizations, terms_of)), recursive = FALSE)
  rows <- Filter(function(row) {
    (is.null(kind) || row$DataSet == data_set) &&
      (is.null(parameter) || plain_name(row$Parameter) == plain_name(parameter))
  }, rows)
  answer$total <- length(rows)
  types <- c(text_columns(c("OrganizationUUID", "DataSet", "Parameter", "Value")), Records = "integer")
  with_metadata(from_rows(rows, types), metadata_of(answer))
}

# A row for each term of an organization's data sets.
terms_of <- function(organization) {
  rows <- list()
  for (own in organization$DataSets) for (name in names(own$Vocabulary)) {
    first <- list(OrganizationUUID = organization$OrganizationUUID, DataSet = own$DataSet, Parameter = name)
    rows <- c(rows, lapply(own$Vocabulary[[name]], function(term) c(first, term)))
  }
  rows
}

#' The records that were added or changed since a version of the data
#'
#' `metadata(x)$removed` has the keys of the records that are gone: drop them, and those with the keys of changed
#' records, then add what changed. A version that is not held any more is an error of class `water_version_gone`:
#' take the whole again.
#'
#' @inheritParams read_totals
#' @inheritParams read_site_amounts
#' @param since The `data_version` of former [metadata()].
#' @param organization_uuid Only what these organizations submitted.
#' @return As [read_site_amounts()].
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' before <- read_allocations(limit = 1)
#' read_changes("allocations", metadata(before)$data_version)
read_changes <- function(kind, since, organization_uuid = NULL, geometry = NULL, ...) {
  operation <- operation_of(kind)
  own <- Filter(Negate(is.null), list(organization_uuid = organization_uuid, ...))
  changed <- read_records(operation, c(own, changed_since = since), geometry)
  made <- metadata(changed)
  opened <- open_query(paste0(operation, "/Removed"), c(own, since = since))
  made$removed <- removed_keys(opened$connection, kind_of(operation), pinned(opened$query, made$data_version))
  with_metadata(changed, made)
}

#' The file of a whole data set
#'
#' It is kept in the cache folder (`WATER_DATA_CACHE`, else that of [tools::R_user_dir()]), and taken anew only for
#' a new release. Of "rds" only what changed is transferred then; names of places, methods and variables in rows that
#' stayed are the former ones, and `whole = TRUE` takes everything anew.
#'
#' @inheritParams read_totals
#' @param organization The identifier of the organization, such as "UTss_O1".
#' @param format "rds" (`readRDS(path)` gives the records with types), "csv.gz", "parquet" or "places" (sites or
#'   units as GeoParquet).
#' @param whole `TRUE` takes everything anew.
#' @param ... `url`, `key`, `patience`, `progress`.
#' @return The path of the file.
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' \donttest{
#' records <- readRDS(download_data("site_amounts", "UTss_O1"))
#' }
download_data <- function(kind, organization, format = "rds", whole = FALSE, ...) {
  names <- c(rds = "", csv.gz = "records.csv.gz", parquet = "records.parquet", places = "places.parquet")
  if (!format %in% names(names)) bad_argument(unknown_name(format, names(names), "download_data(format)"))
  data_set <- kind_of(operation_of(kind))
  connection <- open_query("Downloads", list(...))$connection
  wait <- patience_of(connection)
  repeat {
    found <- listed_of(connection, data_set, organization)
    if (length(found$files) == 0) {
      stop(water_error("water_not_offered", sprintf(
        "%s has no %s at this service; read_terms() lists what there is.", organization, data_set
      )))
    }
    listed <- found$files[[1]]
    if (!listed$Pending) break
    said <- "The files of this release are being made, which takes a minute."
    wait(list(water_error("water_service_busy", said, retry_after = 2)))
  }
  file <- if (format != "rds") whole_file(connection, listed, names[[format]])
  else records_file(connection, listed, found$version, anew = whole)
  connection$say()
  file
}

#' What a filter in CQL2 finds
#'
#' @param collection "sites", "reporting-units", "allocations", "site-amounts" or "aggregated-amounts".
#' @param cql2 A filter, such as `"AllocationFlow_CFS > 10 AND County = 'Caddo'"`.
#' @inheritParams read_site_amounts
#' @param ... `url`, `key`, `patience`, `progress`.
#' @return As [read_site_amounts()].
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' read_query("allocations", "AllocationFlow_CFS > 10 AND County = 'Caddo'")
read_query <- function(collection, cql2, geometry = NULL, limit = NULL, ...) {
  kinds <- c(
    "sites" = "Sites", "reporting-units" = "ReportingUnits", "allocations" = "WaterAllocations",
    "site-amounts" = "SiteVariableAmounts", "aggregated-amounts" = "AggregatedAmounts"
  )
  if (!collection %in% names(kinds)) bad_argument(unknown_name(collection, names(kinds), "read_query(collection)"))
  kind <- kinds[[collection]]
  connection <- open_query("Downloads", list(...))$connection
  wanted <- is_geometry_wanted(geometry)
  listing <- json_listing(
    sprintf("/ogc/collections/%s/items", collection), c(filter = cql2, "filter-lang" = "cql2-text"),
    "features", checked_limit(limit),
    form = c(f = "json"), names = c("offset", "limit")
  )
  collect(connection, listing, function(rows, state) {
    found <- from_features(kind, rows)
    made <- if (!is.null(state)) metadata_of(state, connection, kind, unique(found$OrganizationUUID))
    if (wanted) found <- sf::st_sf(found, geometry = feature_geometries(rows))
    with_metadata(found, made)
  })
}

#' Sites, units, rights, owners, areas and terms by name
#'
#' Finds them by the beginnings of words of their names and identifiers, the best first. `Arguments` has what finds
#' their records: `do.call(read_allocations, found$Arguments[[1]])`.
#'
#' @param text What is looked for.
#' @param limit How many are listed.
#' @eval document_arguments("Find")
#' @return A tibble with how many records each has.
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' find_names("caddo", kind = "County")
find_names <- function(text, ..., limit = 20) {
  asked <- c(as.list(environment()), list(...))
  opened <- open_query("Find", asked[!names(asked) %in% c("text", "limit")])
  texts <- text_columns(c("Kind", "OrganizationUUID", "Identifier", "Name", "State", "County"))
  types <- c(texts, stats::setNames(rep("integer", 3), operations))
  query <- c(opened$query, Query = text)
  listing <- json_listing("/v1/Find", query, "Found", checked_limit(limit), page = 100)
  collect(opened$connection, listing, function(rows, state) {
    found <- from_rows(lapply(rows, function(row) c(row, row$RecordsCounts)), types)
    found$Arguments <- lapply(rows, function(row) arguments_of(row$Filter))
    with_metadata(found, if (!is.null(state)) metadata_of(state))
  })
}
