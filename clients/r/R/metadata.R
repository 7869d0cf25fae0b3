# What is known of an answer beside its records.

#' What is known of an answer beside its records
#'
#' `metadata()` gives a list: `url` (the address of the first records, without a key), `data_version` (which
#' [read_changes()] takes later), `total` (how many records the service found), `source` (how they came: "pages"
#' or "files"), `query_time`, `retrieved_at`, `header`, `hint` (terms that are not in the data, with the nearest that
#' are), `licences` (for each organization), and where they were asked for `lookups`, `removed` and `groups_overlap`.
#' `cite_data()` says in a sentence for each organization where the records are from.
#'
#' @param found What a function of this package returned.
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
    sprintf("%s%s. Release %s, retrieved %s from %s", name, licence, Release, day, made$url)
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

# Adds under which terms each organization gave the records that were found.
with_licences <- function(question, found, made) {
  organizations <- unique(found$OrganizationUUID)
  if (is.null(made) || length(organizations) == 0) return(made)
  # A parameter may be given a hundred times; of more organizations all are asked for.
  some <- if (length(organizations) <= 100) repeated("OrganizationUUID", organizations)
  inventory <- fetch_one(question$connection, "/v1/Inventory", pinned(some, made$data_version))$json
  rows <- Filter(function(row) {
    row$OrganizationUUID %in% organizations && (is_place(question$kind) || row$DataSet == question$kind)
  }, data_sets_of(inventory))
  names <- c("OrganizationUUID", "OrganizationName", "DataSet", "Release", "PublishedAt")
  made$licences <- from_rows(columns_with(c(names, "License", "Citation", "TermsOfUse", "Contact")), rows)
  made
}

# The data sets of an inventory, with what it says of their organizations and submissions.
data_sets_of <- function(inventory) {
  as.list(unlist(lapply(inventory$Organizations, function(organization) {
    lapply(organization$DataSets, function(own) c(own$Submission, own, organization))
  }), recursive = FALSE))
}
