# Facts about a result other than its records.

#' Metadata and citation of an answer
#'
#' `metadata()` returns a list: `url` (the address of the first records, without a key), `data_version` (which
#' [read_changes()] accepts later), `total` (the number of matching records), `source` (how they were fetched: "pages"
#' or "files"), `query_time`, `retrieved_at`, `header`, `hint` (terms that are not in the data, with the nearest ones
#' that are), `licences` (for each organization), and on request `lookups`, `removed` and `groups_overlap`.
#' `cite_data()` returns a citation for each organization.
#'
#' @param found The result of a function of this package.
#' @return A list; a character vector.
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' rights <- read_allocations(state = "OK", limit = 10)
#' metadata(rights)$data_version
#' cite_data(rights)
metadata <- function(found) attr(found, "metadata")

#' @rdname metadata
#' @export
cite_data <- function(found) {
  made <- metadata(found)
  if (is.null(made$licences)) return(character())
  with(made$licences, {
    name <- ifelse(is.na(Citation), paste0(OrganizationName, ", ", DataSet), Citation)
    licence <- ifelse(is.na(License), "", paste0(", ", License))
    day <- format(made$retrieved_at, "%Y-%m-%d")
    is_long <- nchar(made$url) > longest_address
    operation <- sub("[?].*", "", made$url)
    address <- if (is_long) paste(operation, "by POST with the parameters in metadata(x)$url") else made$url
    more <- length(made$urls) - 1
    if (more > 0) address <- sprintf("%s and %d more addresses (metadata(x)$urls)", address, more)
    sprintf("%s%s. Release %s, retrieved %s from %s", name, licence, Release, day, address)
  })
}

metadata_of <- function(url, header, started, source = "pages") {
  now <- Sys.time()
  list(
    url = url, data_version = header[["data-version"]], total = as.numeric(header[["x-total-count"]]), source = source,
    query_time = difftime(now, started, units = "secs"), retrieved_at = now, header = header,
    hint = header[["query-hint"]], licences = NULL
  )
}

# The address includes the data version, so that it gives the same records again.
with_pinned_url <- function(question, made, query = question$query) {
  made$url <- address_of(question$connection, question$path, pinned(query, made$data_version))
  made
}

# Parameters of records and totals that are not filters.
no_filters <- c("GroupBy", "Facet", "OrderBy", "format")

# The organizations whose records match a query.
organizations_found <- function(connection, operation, query) {
  # A facet is counted without its own filter.
  own <- tolower(query[names(query) == "OrganizationUUID"])
  asked <- c(query[!names(query) %in% no_filters], Facet = "OrganizationUUID")
  listed <- fetch_one(connection, paste0("/v1/", operation, "/Facets"), asked)$json$Facets[[1]]$Values
  found <- vapply(Filter(function(one) one$Count > 0, listed), function(one) one$Value, "")
  if (length(own)) found[tolower(found) %in% own] else found
}

# A frame of counts or sums with the terms of use of the organizations whose records were counted.
with_counted <- function(question, operation, found) {
  made <- metadata(found)
  if (is.null(made) || nrow(found) == 0) return(found)
  organizations <- organizations_found(question$connection, operation, pinned(question$query, made$data_version))
  counted <- list(connection = question$connection, kind = kind_of(operation))
  structure(found, metadata = with_licences(counted, data.frame(OrganizationUUID = organizations), made))
}

# Adds the terms of use of each organization whose records were found.
with_licences <- function(question, found, made) {
  organizations <- unique(found$OrganizationUUID)
  organizations <- organizations[!is.na(organizations)]
  if (is.null(made) || length(organizations) == 0) return(made)
  # A parameter may be repeated a hundred times; for more organizations than that, all are fetched.
  some <- if (length(organizations) <= 100) repeated("OrganizationUUID", organizations)
  inventory <- fetch_one(question$connection, "/v1/Inventory", pinned(some, made$data_version))$json
  rows <- Filter(function(row) {
    is_of_kind <- is.null(question$kind) || is_place(question$kind) || row$DataSet == question$kind
    row$OrganizationUUID %in% organizations && is_of_kind
  }, data_sets_of(inventory))
  names <- c("OrganizationUUID", "OrganizationName", "DataSet", "Release", "PublishedAt")
  made$licences <- from_rows(columns_with(c(names, "License", "Citation", "TermsOfUse", "Contact")), rows)
  made
}

# The data sets of an inventory, with the properties of their organizations and submissions.
data_sets_of <- function(inventory) {
  as.list(unlist(lapply(inventory$Organizations, function(organization) {
    lapply(organization$DataSets, function(own) c(own$Submission, own, organization))
  }), recursive = FALSE))
}
