# Whole data sets as files in the cache folder, named by their digest and updated with the changes of later versions.

# Returns the records of a query from files if they are all records of some organizations; NULL if files cannot be used.
whole_of <- function(question, made) {
  if (!may_be_whole(question, made)) return()
  operation <- basename(question$path)
  found <- organizations_found(question$connection, operation, pinned(question$query, made$data_version))
  listed <- listed_of(question$connection, operation, found)
  is_current <- vapply(listed, function(one) one$version == made$data_version, TRUE)
  if (!all(is_current) || sum(vapply(listed, function(one) one$Records, 0)) != made$total) return()
  files <- lapply(listed, function(one) current_file(question$connection, one, "records.rds"))
  if (any(vapply(files, is.null, TRUE))) return()
  whole <- do.call(rbind, lapply(files, function(file) structure(readRDS(file), metadata = NULL)))
  if (nrow(whole) == made$total) whole
}

# Places have no such files, changes are never a whole data set, and files are in the service's default order.
may_be_whole <- function(question, made) {
  is_other <- !"csv" %in% question$form || any(c("OrderBy", "ChangedSince") %in% names(question$query))
  !is_other && made$total > sizes$by_pages && question$limit == Inf
}

# The files that the service offers for these organizations, each with its operation and the version of the data.
listed_of <- function(connection, operation, organizations) {
  answer <- fetch_one(connection, "/v1/Downloads")
  own <- Filter(function(one) {
    one$DataSet == kind_of(operation) && tolower(one$OrganizationUUID) %in% tolower(organizations)
  }, answer$json$Downloads)
  lapply(own, c, operation = operation, version = answer$made$data_version)
}

# Returns the cached file if it belongs to this release. Otherwise updates it, or downloads the whole file. NULL if the
# file must be downloaded and the service is still making it.
current_file <- function(connection, listed, name, whole = FALSE) {
  # Identifiers of organizations may contain characters that are invalid in file names.
  organization <- gsub("%", "+", curl::curl_escape(listed$OrganizationUUID), fixed = TRUE)
  service <- substr(as.character(openssl::sha256(connection$url)), 1, 16)
  cache <- Sys.getenv("WATER_DATA_CACHE")
  if (cache == "") cache <- tools::R_user_dir("waterdataquery", "cache")
  folder <- file.path(cache, service, paste0(organization, "-", listed$DataSet))
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  file <- file.path(folder, name)
  kept <- if (!whole) read_note(file)
  if (identical(kept$Release, listed$Release)) return(file)
  frame <- if (name == "records.rds" && !is.null(kept)) updated_records(connection, kept$DataVersion, file, listed)
  if (is.null(frame) && listed$Pending) return()
  if (name != "records.rds") {
    save_listed(connection, listed, name, file)
  } else {
    if (is.null(frame)) frame <- whole_records(connection, listed, folder)
    save_frame(connection, frame, listed, file)
  }
  write_note(file, listed)
  file
}

# The release and data version of a cached file; NULL if that is uncertain.
read_note <- function(file) {
  nothing <- function(cause) NULL
  note <- tryCatch(jsonlite::read_json(paste0(file, ".json")), error = nothing, warning = nothing)
  if (!is.null(note$Release) && !is.null(note$DataVersion) && isTRUE(note$Bytes == file.size(file))) note
}

write_note <- function(file, listed) {
  note <- list(Release = listed$Release, DataVersion = listed$version, Bytes = file.size(file))
  jsonlite::write_json(note, paste0(file, ".json"), auto_unbox = TRUE, digits = NA)
}

save_listed <- function(connection, listed, name, file) {
  described <- Filter(function(one) one$Name == name, listed$Files)
  if (length(described) == 0) other_version(paste("file", name))
  save_file(connection, described[[1]], file)
}

whole_records <- function(connection, listed, folder) {
  source <- file.path(folder, "records.csv.gz.new")
  on.exit(unlink(source))
  save_listed(connection, listed, "records.csv.gz", source)
  from_csv(columns_of(listed$DataSet), source)
}

# Saves a frame so that neither a full disk nor an interruption leaves an incomplete file, or a note next to the wrong
# file.
save_frame <- function(connection, frame, listed, file) {
  made <- list(
    url = address_of(connection, "/v1/Downloads"), data_version = listed$version, total = nrow(frame),
    source = "files", retrieved_at = Sys.time(), licences = NULL
  )
  made <- with_licences(list(connection = connection, kind = listed$DataSet), frame, made)
  saveRDS(structure(frame, metadata = made), paste0(file, ".new"), compress = FALSE)
  unlink(paste0(file, ".json"))
  file.rename(paste0(file, ".new"), file)
}

# NULL if the whole file must be downloaded, for example because the service no longer has the earlier version.
updated_records <- function(connection, since, file, listed) {
  arguments <- list(organization_uuid = listed$OrganizationUUID, data_version = listed$version)
  arguments <- c(arguments, connection[names(connection_arguments)])
  whole_is_right <- c("water_version_gone", "water_bad_argument", "water_service_busy")
  changed <- tryCatch(
    changes_since(since, listed$operation, arguments, FALSE),
    water_data_error = function(error) if (!inherits(error, whole_is_right)) stop(error)
  )
  if (is.null(changed)) return()
  kept <- structure(readRDS(file), metadata = NULL)
  if (!identical(names(kept), names(changed))) return()
  frame <- laid_over(listed$DataSet, kept, changed)
  if (nrow(frame) == listed$Records) frame
}

# The changed records, and the keys of the removed ones with the same types as in records.
changes_since <- function(since, operation, arguments, geometry, columns = NULL) {
  own <- list(changed_since = since, geometry = geometry, columns = columns)
  changed <- read_records(operation, c(arguments, own))
  made <- metadata(changed)
  question <- open_question(paste0(operation, "/Removed"), c(arguments, since = since))
  question$query <- pinned(question$query, made$data_version)
  keys <- columns_of(kind_of(operation))[unlist(tables$keys[[kind_of(operation)]])]
  question$columns <- c(columns_with("OrganizationUUID"), keys)
  question$join <- function(found) joined_rows(found, character(), names(keys))
  made$removed <- collect(question, function(answer) {
    from_rows(question$columns, lapply(jsonlite::read_json(answer$file)$Removed, function(row) {
      # Items of lists are objects with one member, as in records.
      c(row["OrganizationUUID"], lapply(keys, function(column) unlist(row$Key[[column$member]])))
    }))
  })
  if (nrow(made$removed) > 0) {
    organizations <- data.frame(OrganizationUUID = c(made$licences$OrganizationUUID, made$removed$OrganizationUUID))
    made <- with_licences(list(connection = question$connection, kind = kind_of(operation)), organizations, made)
  }
  structure(changed, metadata = made)
}

# Replaces changed records and drops removed ones. The result is in the service's order, by key: missing values first,
# texts by their bytes.
laid_over <- function(kind, old, changed) {
  keys <- function(frame) lapply(unname(frame[unlist(tables$keys[[kind]])]), plain_key)
  texts <- function(frame) do.call(paste, c(keys(frame), sep = "\x02"))
  new <- rbind(old[!texts(old) %in% c(texts(changed), texts(metadata(changed)$removed)), ], changed)
  new[do.call(order, c(keys(new), list(na.last = FALSE, method = "radix"))), ]
}

# A list is compared as a set.
plain_key <- function(column) {
  if (!is.list(column)) return(column)
  vapply(column, function(items) paste(sort(items, method = "radix"), collapse = "\x01"), "")
}
