# The public functions. tables.json declares their parameters; their help is also built from it.

#' Records and places as data frames
#'
#' @description
#' `read_site_amounts()` returns time series at sites: gages, reservoirs, and public supply with its points of diversion
#' and places of use. `read_aggregated_amounts()` returns amounts of reporting units, such as counties and watersheds.
#' `read_allocations()` returns water rights. A right can have several sites, so columns about sites contain lists.
#' `read_sites()` and `read_reporting_units()` return places, with the variables that each has amounts of, and for how
#' long. `read_query()` returns the records that match a CQL2 filter.
#'
#' Several pages of records are fetched at once. If a query finds all records of a data set, and more than 20,000, the
#' file of the data set is downloaded and kept, and later only its changes. All records have one data version.
#'
#' @eval document_arguments(documented_operations[1:5])
#' @param limit The number of records to return, from the first one.
#' @param columns The columns to keep, in this order, such as `c("SiteUUID", "Amount")`; the geometry stays.
#' @param lookups `TRUE` leaves sites, methods and so on out of the rows and returns them in `metadata(x)$lookups`.
#' @param geometry Whether to add geometries. The default is `TRUE` if sf is installed.
#' @return A tibble with a row for each record. With geometries it is also an sf object. [metadata()] has the source. If
#'   nothing matches, a message names the nearest term in the data (its class is `water_nothing_found`).
#' @seealso [flatten_lists()] for files and programs without lists; [water_data_error] for errors.
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' amounts <- read_site_amounts(state = "UT", start_date = "2010-01-01", limit = 100)
#' rights <- read_allocations(county = "Caddo", state = "OK")
#' oldest <- read_allocations(state = "OK", order_by = "AllocationPriorityDate", limit = 10)
#' year <- read_aggregated_amounts(state = "NM", start_date = "2015-01-01", end_date = "2015-12-31")
#' sites <- read_sites(boundary = c(-112, 40, -111, 41), columns = c("SiteUUID", "SiteName"))
#' counties <- read_reporting_units(state = "NM", reporting_unit_type_cv = "County")
#' read_query("allocations", "AllocationFlow_CFS > 10 AND County = 'Caddo'")
read_site_amounts <- function(..., limit = NULL, columns = NULL, lookups = FALSE, geometry = NULL) {
  read_records("SiteVariableAmounts", c(as.list(environment()), list(...)))
}

#' @rdname read_site_amounts
#' @export
read_aggregated_amounts <- function(..., limit = NULL, columns = NULL, lookups = FALSE, geometry = NULL) {
  read_records("AggregatedAmounts", c(as.list(environment()), list(...)))
}

#' @rdname read_site_amounts
#' @export
read_allocations <- function(..., limit = NULL, columns = NULL, lookups = FALSE, geometry = NULL) {
  read_records("SiteAllocationAmounts", c(as.list(environment()), list(...)))
}

#' @rdname read_site_amounts
#' @export
read_sites <- function(..., limit = NULL, columns = NULL, geometry = NULL) {
  read_records("Sites", c(as.list(environment()), list(...)))
}

#' @rdname read_site_amounts
#' @export
read_reporting_units <- function(..., limit = NULL, columns = NULL, geometry = NULL) {
  read_records("ReportingUnits", c(as.list(environment()), list(...)))
}

#' Totals, counts and the values that filters accept
#'
#' @description
#' `read_totals()` returns counts and sums of the matching records, in groups. Amounts with different units or
#' statistics are never added up; they have separate rows. If `metadata(x)$groups_overlap` is `TRUE`, a record can be in
#' several groups, and the rows add up to more than the total.
#'
#' `read_facets()` counts the records that each value of a filter would match if all other filters stay the same. It
#' lists at most 1,000 values of a facet; `metadata(x)$hint` says how many more there are. `read_terms()` lists the
#' values in the data sets, with the number of records that have each.
#'
#' @param kind "site_amounts", "aggregated_amounts" or "allocations".
#' @param by Groups, such as "priority_decade", "water_year" or "county".
#' @param ... The same filters as in [read_site_amounts()] and the others, and `url`, `key`, `patience`, `progress`.
#' @eval document_names()
#' @return A tibble with a row for each group or value; [cite_data()] returns the citation.
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' totals <- read_totals("allocations", by = "priority_decade", county = "Caddo", state = "OK")
#' cite_data(totals)
#' read_totals("site_amounts", by = c("water_year", "county"), state = "UT")
#' read_facets("allocations", "beneficial_use_cv", state = "OK")
#' read_terms("allocations", "beneficial_use_cv")
read_totals <- function(kind, by = character(), ...) {
  operation <- paste0(operation_of(kind), "/Totals")
  totals <- tables$totals[[operation_of(kind)]]
  require_texts("by", by)
  groups <- service_names(by, names(totals$groups), "by=\"%s\" is not a grouping")
  question <- open_question(operation, list(...))
  question$query <- c(question$query, repeated("GroupBy", groups))
  types <- unlist(c(totals$groups[groups], totals$members))
  question$columns <- columns_with(unique(names(types)), types[unique(names(types))])
  question$asked <- TRUE
  overlap <- NULL
  collect(question, function(answer) {
    json <- jsonlite::read_json(answer$file)
    overlap <<- json$GroupsOverlap
    from_rows(question$columns, json$Totals)
  }, function(found) {
    found <- with_counted(question, operation_of(kind), found)
    structure(found, metadata = c(metadata(found), groups_overlap = overlap))
  })
}

#' @rdname read_totals
#' @param facets Filters, such as "beneficial_use_cv".
#' @export
read_facets <- function(kind, facets, ...) {
  operation <- paste0(operation_of(kind), "/Facets")
  require_texts("facets", facets)
  known <- unlist(parameters_of(operation)$facet$values)
  chosen <- service_names(facets, known, "facets=\"%s\" is not a filter with facets")
  question <- open_question(operation, list(...))
  query <- c(question$query, repeated("Facet", chosen))
  answer <- fetch_one(question$connection, question$path, query)
  answer$made <- with_pinned_url(question, answer$made, query)
  rows <- lapply(answer$json$Facets, function(facet) lapply(facet$Values, c, Facet = facet$Name))
  more <- lapply(answer$json$Facets, function(facet) {
    if (facet$MoreValues > 0) sprintf("%s has %d more values", facet$Name, facet$MoreValues)
  })
  if (length(unlist(more))) answer$made$hint <- paste(unlist(more), collapse = "; ")
  columns <- columns_with(c("Facet", "Value", "Count"), c("text", "text", "integer"))
  found <- structure(from_rows(columns, as.list(unlist(rows, recursive = FALSE))), metadata = answer$made)
  tell_of_nothing(found)
  with_counted(question, operation_of(kind), found)
}

#' @rdname read_totals
#' @param parameter The filter whose values are listed. Without it, all filters.
#' @export
read_terms <- function(kind = NULL, parameter = NULL, ...) {
  data_set <- if (!is.null(kind)) kind_of(operation_of(kind))
  if (!is.null(parameter)) {
    require_text("parameter", parameter)
    service_names(parameter, argument_names(), "parameter=\"%s\" is not a filter")
  }
  question <- open_question("Inventory", list(...))
  answer <- inventory_of(question)
  answer$made <- with_pinned_url(question, answer$made)
  is_asked <- function(name, asked) is.null(asked) || plain_name(name) == plain_name(asked)
  rows <- list()
  for (own in data_sets_of(answer$json)) for (name in names(own$Vocabulary)) {
    rows <- c(rows, lapply(own$Vocabulary[[name]], c, own[c("OrganizationUUID", "DataSet")], Parameter = name))
  }
  rows <- Filter(function(row) is_asked(row$DataSet, data_set) && is_asked(row$Parameter, parameter), rows)
  answer$made$total <- length(rows)
  columns <- columns_with(c("OrganizationUUID", "DataSet", "Parameter", "Value"))
  found <- from_rows(c(columns, columns_with("Records", "integer")), rows)
  question$kind <- data_set
  found <- structure(found, metadata = with_licences(question, found, answer$made))
  tell_of_nothing(found)
  found
}

# The data sets of these organizations, in several requests if the list is long.
inventory_of <- function(question) {
  answer <- NULL
  for (query in parts_of(question$query)) {
    if (!is.null(answer)) query <- pinned(query, answer$made$data_version)
    part <- fetch_one(question$connection, question$path, query)
    if (is.null(answer)) answer <- part
    else answer$json$Organizations <- c(answer$json$Organizations, part$json$Organizations)
  }
  answer$json$Organizations <- unique(answer$json$Organizations)
  answer
}

#' What changed, and the files of whole data sets
#'
#' @description
#' `read_changes()` returns the records that were added or changed since a data version. `metadata(x)$removed` has the
#' keys of removed records. To update a copy, delete the removed records and those with the keys of changed records,
#' then add the changed records. If the version is no longer available, the error has the class `water_version_gone`:
#' read everything again.
#'
#' `download_data()` keeps the file of a data set in the cache folder (`WATER_DATA_CACHE`, otherwise that of
#' [tools::R_user_dir()]), always under the same path, and downloads it again only for a new release. For "rds", only
#' the changes are transferred, without waiting for the files of that release. Unchanged rows keep the old names of
#' places, methods and variables.
#'
#' @inheritParams read_totals
#' @inheritParams read_site_amounts
#' @param since The `data_version` of earlier [metadata()].
#' @param organization_uuid Only what these organizations submitted.
#' @return As [read_site_amounts()]; the path of the file.
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' before <- read_allocations(limit = 1)
#' read_changes("allocations", metadata(before)$data_version)
#' records <- readRDS(download_data("site_amounts", "UTss_O1"))
read_changes <- function(kind, since, organization_uuid = NULL, geometry = NULL, columns = NULL, ...) {
  operation <- operation_of(kind)
  require_text("since", since)
  changes_since(since, operation, list(organization_uuid = organization_uuid, ...), geometry, columns)
}

#' @rdname read_changes
#' @param organization The identifier of the organization, such as "UTss_O1".
#' @param format "rds" (`readRDS(path)` gives the records with types), "csv.gz", "parquet" or "places" (sites or
#'   units as GeoParquet).
#' @param whole `TRUE` downloads everything again.
#' @export
download_data <- function(kind, organization, format = "rds", whole = FALSE, ...) {
  names <- c(rds = "records.rds", csv.gz = "records.csv.gz", parquet = "records.parquet", places = "places.parquet")
  operation <- operation_of(kind)
  require_text("organization", organization)
  require_one_of("format", format, names(names))
  require_switch("whole", whole)
  connection <- open_question("Downloads", list(...))$connection
  repeat {
    listed <- listed_of(connection, operation, organization)
    if (length(listed) == 0) {
      said <- " at this service; read_terms() lists those it has."
      fail("water_not_offered", organization, " has no ", kind_of(operation), said)
    }
    file <- current_file(connection, listed[[1]], names[[format]], whole = whole)
    if (!is.null(file)) return(file)
    said <- "The files of this release are being made, which takes a minute."
    wait_after(connection, list(water_error("water_service_busy", said, retry_after = 2)), 0, 1)
  }
}

#' @rdname read_site_amounts
#' @param collection "sites", "reporting-units", "allocations", "site-amounts" or "aggregated-amounts".
#' @param cql2 A filter, such as `"AllocationFlow_CFS > 10 AND County = 'Caddo'"`.
#' @export
read_query <- function(collection, cql2, geometry = NULL, limit = NULL, columns = NULL, ...) {
  collections <- gsub("_", "-", names(operations))
  require_one_of("collection", collection, collections)
  require_text("cql2", cql2)
  kind <- kind_of(operations[[match(collection, collections)]])
  question <- open_question("Downloads", list(...), limit, "read_query")
  question$chosen <- chosen_columns(kind, columns)
  collect_records(utils::modifyList(question, list(
    path = sprintf("/ogc/collections/%s/items", collection), query = c(filter = cql2, "filter-lang" = "cql2-text"),
    names = c("offset", "limit"), form = c(f = "json"), kind = kind,
    geometry = is_geometry_wanted(geometry), asked = TRUE
  )))
}

#' Sites, units, rights, owners, areas and terms by name
#'
#' Searches names and identifiers by the beginnings of words, best match first. `Arguments` has the arguments for the
#' records of a result: `do.call(read_allocations, found$Arguments[[1]])`.
#'
#' @param text The words to search for.
#' @param limit The number of results.
#' @eval document_arguments("Find")
#' @return A tibble with the number of records of each result.
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' find_names("caddo", kind = "County")
find_names <- function(text, ..., limit = 20) {
  require_text("text", text)
  asked <- c(as.list(environment()), list(...))
  question <- open_question("Find", asked[!names(asked) %in% c("text", "limit")], limit)
  question$query <- c(question$query, Query = text)
  question$size <- 100
  question$asked <- TRUE
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
