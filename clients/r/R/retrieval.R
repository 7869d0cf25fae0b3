# Fetches all records that a question finds: in pages side by side, as an export, or as files kept from before.

# Most questions are answered by the first page; more records than `by_pages` come as an export. An export that is cut
# off has to begin again: after so many tries its records are fetched in pages.
sizes <- list(first = 1000, page = 5000, at_once = 4, by_pages = 20000, export_tries = 3, rows = 10000)

# Arguments as functions of data sets have them become a frame.
read_records <- function(operation, arguments, geometry = arguments$geometry) {
  limit <- checked_limit(arguments$limit)
  geometry <- is_geometry_wanted(geometry)
  opened <- open_query(operation, arguments[!names(arguments) %in% c("limit", "lookups", "geometry")])
  retrieve(opened$connection, list(
    kind = kind_of(operation), query = opened$query, limit = limit, lookups = isTRUE(arguments$lookups),
    geometry = geometry
  ))
}

# What all functions begin with; wrong arguments are refused before anything is sent.
open_query <- function(operation, arguments) {
  own <- names(arguments) %in% names(connection_arguments)
  query <- query_of(operation, arguments[!own])
  list(connection = do.call(connect, arguments[own]), query = query)
}

checked_limit <- function(limit) {
  if (is.null(limit)) return(Inf)
  if (!is.numeric(limit) || limit < 1) bad_argument("limit is 1 or more; leave it out for all records.")
  limit
}

retrieve <- function(connection, question) {
  kind <- question$kind
  # Places have geometries that CSV has not.
  rows_in <- if (is_place(kind)) function(text) jsonlite::parse_json(text)$features
  else function(text) read_cells(kind, I(text))
  listing <- list(
    path = path_of(kind), query = question$query, form = c(format = if (is_place(kind)) "geojson" else "csv"),
    limit = question$limit, first = sizes$first, page = sizes$page,
    read = function(answer) list(rows = rows_in(text_of(answer)))
  )
  collect(connection, listing, function(rows, state) {
    found <- if (is.data.frame(state$instead)) state$instead
    else if (is_place(kind)) from_features(kind, rows)
    else from_cells(kind, rows)
    shaped(connection, question, found, rows, state)
  }, function(state) instead_of_pages(connection, question, state))
}

# All rows of a listing, whose pages are asked for side by side in one version of the data. `finish` makes the frame of
# what came and of what is known of it, which is NULL for what came before an interruption. `instead` may find all rows
# in another way than by pages, and leaves them in `state$instead`.
collect <- function(connection, listing, finish, instead = function(state) NULL) {
  state <- new.env(parent = emptyenv())
  state$started <- Sys.time()
  state$source <- "pages"
  state$pages <- list()
  rows <- function() {
    pages <- unname(state$pages[order(as.numeric(names(state$pages)))])
    if (is.data.frame(pages[1][[1]])) do.call(rbind, pages) else unlist(pages, recursive = FALSE)
  }
  run <- function() {
    # An error that ends a retrieval has what came before it, and the way to go on.
    keep <- function(error) {
      error$partial <- finish(rows(), NULL)
      error$resume <- run
      stop(error)
    }
    fetch_all <- function() {
      if (length(state$pages) == 0) take_pages(connection, listing, state, 0)
      instead(state)
      if (is.null(state$instead)) take_rest(connection, listing, state)
      connection$say()
      finish(rows(), state)
    }
    tryCatch(
      fetch_all(),
      water_data_error = keep,
      interrupt = function(cause) keep(water_error("water_interrupted", "Interrupted: resume() of this error goes on."))
    )
  }
  run()
}

take_rest <- function(connection, listing, state) {
  first <- rows_of(state$pages[["0"]])
  starts <- if (state$wanted > first && first > 0) seq(first, state$wanted - 1, by = listing$page)
  left <- setdiff(index_text(starts), names(state$pages))
  for (some in split(left, (seq_along(left) - 1) %/% sizes$at_once)) take_pages(connection, listing, state, some)
}

take_pages <- function(connection, listing, state, starts) {
  is_first <- length(state$pages) == 0
  counts <- if (is_first) min(listing$first, listing$limit)
  else pmin(listing$page, state$wanted - as.numeric(starts))
  query <- if (is_first) listing$query else pinned(listing$query, state$version)
  names <- if (is.null(listing$names)) c("StartIndex", "RecordCount") else listing$names
  addresses <- mapply(function(start, count) {
    part <- stats::setNames(index_text(c(start, count)), names)
    address_of(connection, listing$path, c(query, part, listing$form))
  }, starts, counts)
  fetch(connection, addresses, function(index, answer) {
    read <- listing$read(answer)
    page <- read$rows
    if (is_first) note_first(connection, listing, state, answer$header)
    state$json <- read$json
    if (!is_first && rows_of(page) != counts[index]) {
      said <- sprintf("A page has %d records where %d were asked for.", rows_of(page), counts[index])
      stop(water_error("water_connection_failed", said))
    }
    state$pages[[index_text(starts[index])]] <- page
    came <- sum(vapply(state$pages, rows_of, 0))
    connection$say(sprintf("%s of %s records", grouped(came), grouped(state$wanted)))
  })
}

note_first <- function(connection, listing, state, header) {
  state$header <- header
  state$version <- header[["data-version"]]
  state$total <- as.numeric(header[["x-total-count"]])
  if (length(state$version) == 0 || length(state$total) == 0) other_version("version of the data, or no total")
  state$wanted <- min(listing$limit, state$total)
  state$url <- address_of(connection, listing$path, pinned(listing$query, state$version))
}

index_text <- function(numbers) format(as.numeric(numbers), scientific = FALSE, trim = TRUE)

grouped <- function(number) format(number, big.mark = ",", scientific = FALSE)

rows_of <- function(page) if (is.data.frame(page)) nrow(page) else length(page)

# All answers are of one version of the data, also when something is published meanwhile.
pinned <- function(query, version) if ("DataVersion" %in% names(query)) query else c(query, DataVersion = version)

# Many records come as files when they are the whole of data sets, else as an export.
instead_of_pages <- function(connection, question, state) {
  names <- names(question$query)
  if (state$total <= sizes$by_pages || is_place(question$kind) || question$limit < Inf) return()
  # What changed is never the whole, and files have the order of the service.
  if (!any(c("OrderBy", "ChangedSince") %in% names)) state$instead <- whole_of(connection, question, state)
  if (!is.null(state$instead)) {
    state$source <- "files"
  } else if (!identical(state$without_export, TRUE)) {
    state$instead <- from_export(connection, question, state)
    state$without_export <- is.null(state$instead)
    state$source <- if (state$without_export) "pages" else "export"
  }
}

# NULL where no export can be had: its records are fetched in pages then.
from_export <- function(connection, question, state) {
  file <- tempfile(fileext = ".csv.gz")
  on.exit(unlink(file))
  query <- c(pinned(question$query, state$version), format = "csv.gz")
  address <- address_of(connection, paste0(path_of(question$kind), "/Export"), query)
  say <- function(came) connection$say(sprintf("%s records, %.1f MB", grouped(state$total), came / 1e6))
  for (try in seq_len(sizes$export_tries)) {
    error <- save_answer(connection, address, file, say)
    if (is.null(error)) {
      cells <- read_cells(question$kind, file)
      if (nrow(cells) == state$total) return(from_cells(question$kind, cells))
    } else if (inherits(error, c("water_bad_argument", "water_service_busy"))) {
      # Too many records for one export, or too many exports at this moment.
      return(NULL)
    } else if (!inherits(error, "water_connection_failed")) {
      stop(error)
    }
  }
  NULL
}

# The frame with its metadata, with geometries and without what lookups say, as asked for.
shaped <- function(connection, question, found, rows, state) {
  kind <- question$kind
  geometries <- if (question$geometry && !is.null(state)) {
    if (is_place(kind)) feature_geometries(rows)
    else if (kind == "AggregatedAmounts") unit_areas(connection, question, found, state$version)
    else record_points(kind, found)
  }
  made <- if (!is.null(state)) metadata_of(state, connection, kind, unique(found$OrganizationUUID))
  if (question$lookups) {
    made$lookups <- lookups_of(kind, found)
    found <- found[vapply(columns_of(kind), function(one) is.null(one$source) || one$source == "Organization", TRUE)]
  }
  if (!is.null(geometries)) found <- sf::st_sf(found, geometry = geometries)
  with_metadata(found, made)
}

# The areas of the units that the records name.
unit_areas <- function(connection, question, found, version) {
  own <- question$query[names(question$query) == "OrganizationUUID"]
  units <- retrieve(connection, list(
    kind = "ReportingUnits", query = pinned(own, version), limit = Inf, lookups = FALSE, geometry = TRUE
  ))
  at <- match(found$ReportingUnitUUID, units$ReportingUnitUUID, nomatch = nrow(units) + 1)
  c(sf::st_geometry(units), sf::st_sfc(sf::st_geometrycollection(), crs = 4326))[at]
}

# What records say of sites, methods and so on, each once for its organization.
lookups_of <- function(kind, found) {
  columns <- columns_of(kind)
  references <- tables$references[[kind]]
  lapply(stats::setNames(names(references), names(references)), function(name) {
    reference <- references[[name]]
    own <- names(Filter(function(one) identical(one$source, name), columns))
    identifier <- if (is.null(reference$within)) reference$member else reference$within
    rows <- rep(seq_len(nrow(found)), if (reference$isList) lengths(found[[identifier]]) else 1)
    flat <- lapply(found[unique(c(identifier, own))], function(column) {
      if (reference$isList) unlist(column) else column[rows]
    })
    made <- as_frame(c(list(OrganizationUUID = found$OrganizationUUID[rows]), flat))
    made[!is.na(made[[identifier]]) & !duplicated(made[c("OrganizationUUID", identifier)]), ]
  })
}
