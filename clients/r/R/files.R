# Whole data sets, kept in a folder by their digest and brought up to date by what changed since.

# All records that a question finds, where it finds all of some organizations; NULL where files do not give them.
whole_of <- function(question, made) {
  # Places have no such files, what changed is never the whole, and files have the order of the service.
  others <- !"csv" %in% question$form || any(c("OrderBy", "ChangedSince") %in% names(question$query))
  if (others || made$total <= sizes$by_pages || question$limit < Inf) return()
  query <- c(pinned(question$query, made$data_version), Facet = "OrganizationUUID")
  found <- fetch_one(question$connection, paste0(question$path, "/Facets"), query)$json$Facets[[1]]$Values
  listed <- listed_of(question$connection, basename(question$path), vapply(found, function(one) one$Value, ""))
  there <- vapply(listed, function(one) one$version == made$data_version && !one$Pending, TRUE)
  if (!all(there) || sum(vapply(listed, function(one) one$Records, 0)) != made$total) return()
  whole <- do.call(rbind, lapply(listed, function(one) readRDS(current_file(question$connection, one, "records.rds"))))
  if (nrow(whole) == made$total) whole
}

# What the service lists of these organizations, each with its operation and the version of the data.
listed_of <- function(connection, operation, organizations) {
  answer <- fetch_one(connection, "/v1/Downloads")
  own <- Filter(function(one) {
    one$DataSet == kind_of(operation) && tolower(one$OrganizationUUID) %in% tolower(organizations)
  }, answer$json$Downloads)
  lapply(own, c, operation = operation, version = answer$made$data_version)
}

# The file that is kept of this release; else records brought up to date, or the file of the service.
current_file <- function(connection, listed, name, anew = FALSE) {
  # Identifiers of organizations may have characters that file systems refuse.
  organization <- gsub("%", "+", curl::curl_escape(listed$OrganizationUUID), fixed = TRUE)
  service <- substr(as.character(openssl::sha256(connection$url)), 1, 16)
  cache <- Sys.getenv("WATER_DATA_CACHE")
  if (cache == "") cache <- tools::R_user_dir("waterdataquery", "cache")
  folder <- file.path(cache, service, paste0(organization, "-", listed$DataSet))
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  file <- file.path(folder, paste0(listed$Release, "-", name))
  former <- setdiff(Sys.glob(file.path(folder, paste0("*-", name))), file)
  if (file.exists(file) && !anew) return(file)
  if (name == "records.rds") {
    save_records(connection, listed, file, if (!anew) former)
  } else {
    described <- Filter(function(one) one$Name == name, listed$Files)
    if (length(described) == 0) other_version(paste("file", name))
    save_file(connection, described[[1]], file)
  }
  unlink(former)
  file
}

save_records <- function(connection, listed, file, former) {
  frame <- if (length(former)) updated_records(connection, readRDS(former[1]), listed)
  if (is.null(frame)) {
    source <- current_file(connection, listed, "records.csv.gz")
    frame <- from_csv(columns_of(listed$DataSet), source)
    unlink(source)
  }
  # A disk that is full in between leaves no file that looks whole.
  saveRDS(structure(frame, metadata = list(data_version = listed$version)), paste0(file, ".new"), compress = FALSE)
  file.rename(paste0(file, ".new"), file)
}

# NULL where only the whole is right, such as when the former version is not held any more.
updated_records <- function(connection, kept, listed) {
  arguments <- list(organization_uuid = listed$OrganizationUUID, data_version = listed$version)
  arguments <- c(arguments, connection[names(connection_arguments)])
  whole_is_right <- c("water_version_gone", "water_bad_argument", "water_service_busy")
  frame <- tryCatch(
    laid_over(listed$DataSet, kept, changes_since(metadata(kept)$data_version, listed$operation, arguments, FALSE)),
    water_data_error = function(error) if (!inherits(error, whole_is_right)) stop(error)
  )
  if (!is.null(frame) && nrow(frame) == listed$Records) frame
}

# The records that changed, with the keys of those that are gone, which have the types of the records.
changes_since <- function(since, operation, arguments, geometry) {
  changed <- read_records(operation, c(arguments, changed_since = since, geometry = geometry))
  made <- metadata(changed)
  question <- open_question(paste0(operation, "/Removed"), c(arguments, since = since))
  question$query <- pinned(question$query, made$data_version)
  keys <- columns_of(kind_of(operation))[unlist(tables$keys[[kind_of(operation)]])]
  question$columns <- c(columns_with("OrganizationUUID"), keys)
  made$removed <- collect(question, function(answer) {
    from_rows(question$columns, lapply(jsonlite::read_json(answer$file)$Removed, function(row) {
      # Items of lists are objects with one member, as in records.
      c(row["OrganizationUUID"], lapply(keys, function(column) unlist(row$Key[[column$member]])))
    }))
  })
  structure(changed, metadata = made)
}

# The old records less those that are gone or changed, and the changed ones, in the service's order: by key, what is
# missing first, texts by their bytes.
laid_over <- function(kind, old, changed) {
  keys <- function(frame) lapply(unname(frame[unlist(tables$keys[[kind]])]), plain_key)
  texts <- function(frame) do.call(paste, c(keys(frame), sep = "\x02"))
  new <- rbind(old[!texts(old) %in% c(texts(changed), texts(metadata(changed)$removed)), ], changed)
  new[do.call(order, c(keys(new), list(na.last = FALSE, method = "radix"))), ]
}

# Lists count as sets.
plain_key <- function(column) {
  if (!is.list(column)) return(column)
  vapply(column, function(items) paste(sort(items, method = "radix"), collapse = "\x01"), "")
}
