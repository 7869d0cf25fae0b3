# What is known of an answer beside its records.

#' What is known of an answer beside its records
#'
#' `metadata()` gives a list: `url` (the address of the first records, without a key), `data_version` (which
#' [read_changes()] takes later), `total` (how many records the service found), `source` (how they came: "pages",
#' "export" or "files"), `query_time`, `retrieved_at`, `header`, `hint` (terms that are not in the data, with the
#' nearest that are), `licences` (for each organization), and where they were asked for `lookups`, `removed` and
#' `groups_overlap`. `cite_data()` says in a sentence for each organization where the records are from.
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

with_metadata <- function(found, made) {
  attr(found, "metadata") <- made
  found
}

# `state` has what is known of the first answer; licences are those of a kind of records, where that is given.
metadata_of <- function(state, connection, kind = NULL, organizations = character()) {
  now <- Sys.time()
  licences <- if (length(organizations)) licences_of(connection, kind, organizations, state$version)
  list(
    url = state$url, data_version = state$version, total = state$total, source = state$source,
    query_time = difftime(now, state$started, units = "secs"), retrieved_at = now, header = state$header,
    hint = state$header[["query-hint"]], licences = licences
  )
}

# Under which terms each organization gave the records.
licences_of <- function(connection, kind, organizations, version) {
  # A parameter may be given a hundred times; of more organizations all are asked for.
  some <- if (length(organizations) <= 100) repeated("OrganizationUUID", organizations)
  inventory <- fetch_one(connection, "/v1/Inventory", pinned(some, version))$json
  rows <- unlist(lapply(inventory$Organizations, function(organization) {
    lapply(organization$DataSets, function(own) c(own$Submission, own, organization))
  }), recursive = FALSE)
  rows <- Filter(function(row) {
    row$OrganizationUUID %in% organizations && (is_place(kind) || row$DataSet == kind)
  }, rows)
  names <- c("OrganizationUUID", "OrganizationName", "DataSet", "Release", "PublishedAt")
  from_rows(rows, text_columns(c(names, "License", "Citation", "TermsOfUse", "Contact")))
}

text_columns <- function(names) stats::setNames(rep("text", length(names)), names)
