# The functions that an analyst calls. What they take is in tables.json, from where their help is written, too.

#' Records and places as data frames
#'
#' @description
#' `read_site_amounts()` gives time series at sites: gages, reservoirs, and public supply with its points of diversion
#' and places of use. `read_aggregated_amounts()` gives amounts of reporting units, such as counties and watersheds.
#' `read_allocations()` gives water rights; one has many sites, so that what sites say are lists. `read_sites()` and
#' `read_reporting_units()` give places, with the variables that each has amounts of, and for how long. `read_query()`
#' gives what a filter in CQL2 finds.
#'
#' Records come in pages side by side, and more than 20,000 that are everything of a data set as its file, which is kept
#' and later brought up to date by what changed. All are of one version of the data.
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
#' read_query("allocations", "AllocationFlow_CFS > 10 AND County = 'Caddo'")
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

#' Counts, and the values that filters know
#'
#' @description
#' `read_totals()` gives counts and sums of what filters find, in groups. Amounts of different units or statistics are
#' never added up, and have rows of their own. Where `metadata(x)$groups_overlap` a record is in several groups, and
#' rows do not add up to the whole.
#'
#' `read_facets()` counts what each value of a filter would find, with all other filters as they are. It lists at most
#' 1,000 values of a facet, and `metadata(x)$hint` says of how many others there are. `read_terms()` lists the values of
#' the data sets, with how many records have each.
#'
#' @param kind "site_amounts", "aggregated_amounts" or "allocations".
#' @param by Groups, such as "priority_decade", "water_year" or "county".
#' @param ... Filters as [read_site_amounts()] and the others have them, and `url`, `key`, `patience`, `progress`.
#' @return A tibble with a row for each group or value.
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' read_totals("allocations", by = "priority_decade", county = "Caddo", state = "OK")
#' read_facets("allocations", "beneficial_use_cv", state = "OK")
#' read_terms("allocations", "beneficial_use_cv")
read_totals <- function(kind, by = character(), ...) {
  operation <- paste0(operation_of(kind), "/Totals")
  totals <- tables$totals[[operation_of(kind)]]
  groups <- service_names(by, names(totals$groups), "read_totals")
  question <- open_question(operation, list(...))
  question$query <- c(question$query, repeated("GroupBy", groups))
  types <- unlist(c(totals$groups[groups], totals$members))
  question$columns <- columns_with(unique(names(types)), types[unique(names(types))])
  overlap <- NULL
  collect(question, function(answer) {
    json <- jsonlite::read_json(answer$file)
    overlap <<- json$GroupsOverlap
    from_rows(question$columns, json$Totals)
  }, function(found) structure(found, metadata = c(metadata(found), groups_overlap = overlap)))
}

#' @rdname read_totals
#' @param facets Filters, such as "beneficial_use_cv".
#' @export
read_facets <- function(kind, facets, ...) {
  operation <- paste0(operation_of(kind), "/Facets")
  chosen <- service_names(facets, unlist(parameters_of(operation)$facet$values), "read_facets")
  question <- open_question(operation, list(...))
  answer <- fetch_one(question$connection, question$path, c(question$query, repeated("Facet", chosen)))
  rows <- lapply(answer$json$Facets, function(facet) lapply(facet$Values, c, Facet = facet$Name))
  more <- lapply(answer$json$Facets, function(facet) {
    if (facet$MoreValues > 0) sprintf("%s has %d more values", facet$Name, facet$MoreValues)
  })
  if (length(unlist(more))) answer$made$hint <- paste(unlist(more), collapse = "; ")
  columns <- columns_with(c("Facet", "Value", "Count"), c("text", "text", "integer"))
  structure(from_rows(columns, as.list(unlist(rows, recursive = FALSE))), metadata = answer$made)
}

#' @rdname read_totals
#' @param parameter The filter whose values are listed; all when not given.
#' @export
read_terms <- function(kind = NULL, parameter = NULL, ...) {
  data_set <- if (!is.null(kind)) kind_of(operation_of(kind))
  if (!is.null(parameter)) service_names(parameter, argument_names(), "read_terms")
  question <- open_question("Inventory", list(...))
  answer <- fetch_one(question$connection, question$path, question$query)
  is_asked <- function(name, asked) is.null(asked) || plain_name(name) == plain_name(asked)
  rows <- list()
  for (own in data_sets_of(answer$json)) for (name in names(own$Vocabulary)) {
    rows <- c(rows, lapply(own$Vocabulary[[name]], c, own[c("OrganizationUUID", "DataSet")], Parameter = name))
  }
  rows <- Filter(function(row) is_asked(row$DataSet, data_set) && is_asked(row$Parameter, parameter), rows)
  answer$made$total <- length(rows)
  columns <- columns_with(c("OrganizationUUID", "DataSet", "Parameter", "Value"))
  structure(from_rows(c(columns, columns_with("Records", "integer")), rows), metadata = answer$made)
}

#' What changed, and the files of whole data sets
#'
#' @description
#' `read_changes()` gives the records that were added or changed since a version of the data. `metadata(x)$removed` has
#' the keys of the records that are gone: drop them, and those with the keys of changed records, then add what changed.
#' A version that is not held any more is an error of class `water_version_gone`: take the whole again.
#'
#' `download_data()` keeps the file of a data set in the cache folder (`WATER_DATA_CACHE`, else that of
#' [tools::R_user_dir()]), and takes it anew only for a new release. Of "rds" only what changed is transferred then;
#' names of places, methods and variables in rows that stayed are the former ones.
#'
#' @inheritParams read_totals
#' @inheritParams read_site_amounts
#' @param since The `data_version` of former [metadata()].
#' @param organization_uuid Only what these organizations submitted.
#' @return As [read_site_amounts()]; the path of the file.
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' before <- read_allocations(limit = 1)
#' read_changes("allocations", metadata(before)$data_version)
#' records <- readRDS(download_data("site_amounts", "UTss_O1"))
read_changes <- function(kind, since, organization_uuid = NULL, geometry = NULL, ...) {
  changes_since(since, operation_of(kind), list(organization_uuid = organization_uuid, ...), geometry)
}

#' @rdname read_changes
#' @param organization The identifier of the organization, such as "UTss_O1".
#' @param format "rds" (`readRDS(path)` gives the records with types), "csv.gz", "parquet" or "places" (sites or
#'   units as GeoParquet).
#' @param whole `TRUE` takes everything anew.
#' @export
download_data <- function(kind, organization, format = "rds", whole = FALSE, ...) {
  names <- c(rds = "records.rds", csv.gz = "records.csv.gz", parquet = "records.parquet", places = "places.parquet")
  if (!format %in% names(names)) bad_argument(unknown_name(format, names(names), "download_data(format)"))
  operation <- operation_of(kind)
  connection <- open_question("Downloads", list(...))$connection
  wait <- patience_of(connection)
  repeat {
    listed <- listed_of(connection, operation, organization)
    if (length(listed) == 0) {
      said <- " at this service; read_terms() lists what there is."
      fail("water_not_offered", organization, " has no ", kind_of(operation), said)
    }
    if (!listed[[1]]$Pending) return(current_file(connection, listed[[1]], names[[format]], anew = whole))
    said <- "The files of this release are being made, which takes a minute."
    wait(list(water_error("water_service_busy", said, retry_after = 2)))
  }
}

#' @rdname read_site_amounts
#' @param collection "sites", "reporting-units", "allocations", "site-amounts" or "aggregated-amounts".
#' @param cql2 A filter, such as `"AllocationFlow_CFS > 10 AND County = 'Caddo'"`.
#' @export
read_query <- function(collection, cql2, geometry = NULL, limit = NULL, ...) {
  collections <- gsub("_", "-", names(operations))
  if (!collection %in% collections) bad_argument(unknown_name(collection, collections, "read_query(collection)"))
  collect_records(utils::modifyList(open_question("Downloads", list(...), limit), list(
    path = sprintf("/ogc/collections/%s/items", collection), query = c(filter = cql2, "filter-lang" = "cql2-text"),
    names = c("offset", "limit"), form = c(f = "json"), kind = kind_of(operations[[match(collection, collections)]]),
    geometry = is_geometry_wanted(geometry)
  )))
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
  question <- open_question("Find", asked[!names(asked) %in% c("text", "limit")], limit)
  question$query <- c(question$query, Query = text)
  question$size <- 100
  texts <- c("Kind", "OrganizationUUID", "Identifier", "Name", "State", "County", "Filter")
  question$columns <- c(columns_with(texts), columns_with(unname(operations[1:3]), "integer"))
  collect(question, function(answer) {
    from_rows(question$columns, lapply(jsonlite::read_json(answer$file)$Found, function(row) c(row, row$RecordsCounts)))
  }, function(found) {
    found$Arguments <- lapply(found$Filter, arguments_of)
    found$Filter <- NULL
    found
  })
}
