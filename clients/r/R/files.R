# Whole data sets, kept in a folder by their digest and brought up to date by what changed since.

# All records that a question finds, where it finds all of some organizations; NULL where files do not give them.
whole_of <- function(connection, question, state) {
  kind <- question$kind
  query <- c(pinned(question$query, state$version), Facet = "OrganizationUUID")
  found <- fetch_one(connection, paste0(path_of(kind), "/Facets"), query)$json$Facets[[1]]$Values
  listed <- listed_of(connection, kind, vapply(found, function(one) one$Value, ""))
  sizes <- vapply(listed$files, function(one) one$Records, 0)
  pending <- vapply(listed$files, function(one) one$Pending, TRUE)
  if (listed$version != state$version || any(pending) || sum(sizes) != state$total) return(NULL)
  files <- vapply(listed$files, function(one) records_file(connection, one, state$version), "")
  whole <- do.call(rbind, lapply(files, readRDS))
  if (nrow(whole) == state$total) whole
}

# What the service lists of these organizations, all when there are none.
listed_of <- function(connection, kind, organizations) {
  answer <- fetch_one(connection, "/v1/Downloads")
  own <- Filter(function(one) {
    one$DataSet == kind && (length(organizations) == 0 || tolower(one$OrganizationUUID) %in% tolower(organizations))
  }, answer$json$Downloads)
  list(files = own, version = answer$header[["data-version"]], header = answer$header)
}

# The file of the records of a data set: that which is kept, or brought up to date, or made of the whole.
records_file <- function(connection, listed, version, anew = FALSE) {
  file <- kept_file(connection, listed, "records.rds")
  former <- setdiff(Sys.glob(file.path(dirname(file), "*-records.rds")), file)
  if (file.exists(file) && !anew) return(file)
  frame <- if (length(former) && !anew) updated_records(connection, readRDS(former[1]), listed, version)
  if (is.null(frame)) {
    source <- whole_file(connection, listed, "records.csv.gz")
    frame <- from_cells(listed$DataSet, read_cells(listed$DataSet, source))
    unlink(source)
  }
  # A disk that is full in between leaves no file that looks whole.
  saveRDS(with_metadata(frame, list(data_version = version)), paste0(file, ".new"), compress = FALSE)
  file.rename(paste0(file, ".new"), file)
  unlink(former)
  file
}

kept_file <- function(connection, listed, name) {
  # Identifiers of organizations may have characters that file systems refuse.
  organization <- gsub("%", "+", curl::curl_escape(listed$OrganizationUUID), fixed = TRUE)
  service <- substr(as.character(openssl::sha256(connection$url)), 1, 16)
  folder <- file.path(cache_folder(), service, paste0(organization, "-", listed$DataSet))
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  file.path(folder, paste0(listed$Release, "-", name))
}

whole_file <- function(connection, listed, name) {
  described <- Filter(function(one) one$Name == name, listed$Files)
  if (length(described) == 0) other_version(paste("file", name))
  file <- kept_file(connection, listed, name)
  say <- function(came) connection$say(sprintf("%s %s: %.1f MB", listed$OrganizationUUID, name, came / 1e6))
  if (!file.exists(file)) save_file(connection, described[[1]], file, say)
  unlink(setdiff(Sys.glob(file.path(dirname(file), paste0("*-", name))), file))
  file
}

# NULL where only the whole is right, such as when the former version is not held any more.
updated_records <- function(connection, kept, listed, version) {
  kind <- listed$DataSet
  own <- c(OrganizationUUID = listed$OrganizationUUID, DataVersion = version)
  query <- c(own, ChangedSince = metadata(kept)$data_version)
  question <- list(kind = kind, query = query, limit = Inf, lookups = FALSE, geometry = FALSE)
  whole_is_right <- function(error) NULL
  frame <- tryCatch(
    {
      changed <- retrieve(connection, question)
      removed <- removed_keys(connection, kind, c(own, Since = metadata(kept)$data_version))
      laid_over(kind, kept, changed, removed)
    },
    water_version_gone = whole_is_right, water_bad_argument = whole_is_right, water_service_busy = whole_is_right
  )
  if (!is.null(frame) && nrow(frame) == listed$Records) frame
}

# The keys of all records that are gone, as a frame with the types of the records.
removed_keys <- function(connection, kind, query) {
  names <- unlist(tables$keys[[kind]])
  columns <- columns_of(kind)[names]
  finish <- function(rows, ...) {
    keys <- lapply(columns, function(column) {
      values <- lapply(rows, function(row) row$Key[[column$member]])
      if (column$list) typed_lists(column$type, lapply(values, unlist)) else typed(column$type, scalars(values))
    })
    as_frame(c(list(OrganizationUUID = as.character(scalars(lapply(rows, `[[`, "OrganizationUUID")))), keys))
  }
  collect(connection, json_listing(paste0(path_of(kind), "/Removed"), query, "Removed"), finish)
}

# A listing in JSON, whose rows are the member `rows` of an answer.
json_listing <- function(path, query, rows, limit = Inf, page = sizes$rows, ...) {
  read <- function(answer) {
    json <- jsonlite::parse_json(text_of(answer))
    if (is.null(json[[rows]])) other_version(rows)
    list(rows = json[[rows]], json = json)
  }
  list(path = path, query = query, read = read, limit = limit, first = page, page = page, ...)
}

# The old records less those that are gone or changed, and the changed ones, in the service's order: by key, what is
# missing first, texts by their bytes.
laid_over <- function(kind, old, changed, removed) {
  names <- unlist(tables$keys[[kind]])
  gone <- c(key_texts(changed, names), key_texts(removed, names))
  new <- rbind(old[!key_texts(old, names) %in% gone, ], changed)
  order_by <- lapply(new[names], function(column) if (is.list(column)) set_texts(column) else column)
  new[do.call(order, c(unname(order_by), list(na.last = FALSE, method = "radix"))), ]
}

key_texts <- function(frame, names) {
  parts <- lapply(frame[names], function(column) if (is.list(column)) set_texts(column) else as.character(column))
  do.call(paste, c(unname(parts), sep = "\x02"))
}

set_texts <- function(lists) vapply(lists, function(items) paste(sort(items, method = "radix"), collapse = "\x01"), "")
