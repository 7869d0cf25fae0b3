# Fetches all records that a question finds: in pages side by side, as an export, or as files kept from before.

# Most questions are answered by the first page; more records than `by_pages` come as an export. An export that is cut
# off has to begin again: after so many tries its records are fetched in pages.
sizes <- list(first = 1000, page = 5000, at_once = 4, by_pages = 20000, export_tries = 3, rows = 10000)

read_records <- function(operation, arguments, geometry) {
  limit <- checked_limit(arguments$limit)
  lookups <- isTRUE(arguments$lookups)
  own <- split_arguments(arguments)
  question <- list(
    kind = kind_of(operation), query = query_of(operation, own$query), limit = limit, lookups = lookups,
    geometry = is_geometry_wanted(geometry)
  )
  retrieve(do.call(connect, own$connection), question)
}

split_arguments <- function(arguments) {
  arguments <- Filter(Negate(is.null), arguments[!names(arguments) %in% c("limit", "lookups", "geometry")])
  is_own <- names(arguments) %in% names(connection_arguments)
  list(query = arguments[!is_own], connection = arguments[is_own])
}

checked_limit <- function(limit) {
  if (is.null(limit)) return(Inf)
  if (!is.numeric(limit) || limit < 1) bad_argument("limit is 1 or more; leave it out for all records.")
  limit
}

# Keeps what came in `state`, so that it can go on after an interruption.
retrieve <- function(connection, question) {
  state <- new.env(parent = emptyenv())
  state$started <- Sys.time()
  state$pages <- list()
  state$export <- TRUE
  run <- function() {
    keeping(function() {
      if (length(state$pages) == 0) take_pages(connection, question, state, 0)
      found <- rest_of(connection, question, state)
      connection$say()
      described(connection, question, state, found)
    }, run, function() shaped(connection, question, state, from_pages(question, state), geometry = FALSE))
  }
  run()
}

wanted_of <- function(question, state) min(question$limit, state$total)

rest_of <- function(connection, question, state) {
  if (wanted_of(question, state) > sizes$by_pages && !is_place(question$kind) && question$limit == Inf) {
    if (all(names(question$query) == "OrganizationUUID")) {
      found <- whole_of(connection, question$kind, question$query, state)
      if (!is.null(found)) return(structure(found, source = "files"))
    }
    found <- if (state$export) from_export(connection, question, state)
    if (!is.null(found)) return(structure(found, source = "export"))
    state$export <- FALSE
  }
  first <- rows_of(state$pages[["0"]])
  starts <- if (wanted_of(question, state) > first) seq(first, wanted_of(question, state) - 1, by = sizes$page)
  left <- setdiff(text_of_number(starts), names(state$pages))
  for (some in split(left, (seq_along(left) - 1) %/% sizes$at_once)) take_pages(connection, question, state, some)
  structure(from_pages(question, state), source = "pages")
}

text_of_number <- function(numbers) format(as.numeric(numbers), scientific = FALSE, trim = TRUE)

rows_of <- function(page) if (is.data.frame(page)) nrow(page) else length(page)

# Pages are cells of CSV; those of places are features, which have geometries.
take_pages <- function(connection, question, state, starts) {
  is_first <- length(state$pages) == 0
  counts <- if (is_first) min(sizes$first, question$limit) else pmin(sizes$page, wanted_of(question, state) - as.numeric(starts))
  query <- if (is_first) question$query else pinned(question$query, state$version)
  form <- if (is_place(question$kind)) "geojson" else "csv"
  addresses <- mapply(function(start, count) {
    part <- c(StartIndex = text_of_number(start), RecordCount = text_of_number(count), format = form)
    address_of(connection, path_of(question$kind), c(query, part))
  }, starts, counts)
  fetch(connection, addresses, function(index, answer) {
    page <- page_of(question$kind, text_of(answer))
    if (is_first) note_header(state, answer$header)
    else if (rows_of(page) != counts[index]) {
      stop(water_error("water_connection_failed", sprintf(
        "A page has %d records where %d were asked for.", rows_of(page), counts[index]
      )))
    }
    state$pages[[text_of_number(starts[index])]] <- page
    came <- sum(vapply(state$pages, rows_of, 0))
    connection$say(sprintf("%s of %s records", grouped(came), grouped(wanted_of(question, state))))
  })
}

grouped <- function(number) format(number, big.mark = ",", scientific = FALSE)

page_of <- function(kind, text) if (is_place(kind)) jsonlite::parse_json(text)$features else read_cells(kind, I(text))

note_header <- function(state, header) {
  if (is.null(header[["data-version"]])) other_version("header Data-Version")
  state$header <- header
  state$version <- header[["data-version"]]
  state$total <- as.numeric(header[["x-total-count"]])
}

# The records that came, without a gap between them.
from_pages <- function(question, state) {
  pages <- unname(state$pages[order(as.numeric(names(state$pages)))])
  if (is_place(question$kind)) return(from_features(question$kind, unlist(pages, recursive = FALSE)))
  cells <- if (length(pages)) do.call(rbind, pages) else read_cells(question$kind, I(header_line(question$kind)))
  from_cells(question$kind, cells)
}

header_line <- function(kind) paste0(paste(names(columns_of(kind)), collapse = ","), "\n")

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
    } else if (!inherits(error, "water_connection_failed")) stop(error)
  }
  NULL
}

# All answers are of one version of the data, also when something is published meanwhile.
pinned <- function(query, version) if ("DataVersion" %in% names(query)) query else c(query, DataVersion = version)

described <- function(connection, question, state, found) {
  source <- attr(found, "source")
  address <- address_of(connection, path_of(question$kind), pinned(c(question$query, RecordCount = "1000"), state$version))
  made <- metadata_of(address, state$header, state$started, state$total, source)
  if (nrow(found)) made$licences <- licences_of(connection, question$kind, unique(found$OrganizationUUID), state$version)
  if (question$lookups) made$lookups <- lookups_of(question$kind, found)
  found <- shaped(connection, question, state, found, question$geometry)
  attr(found, "source") <- NULL
  with_metadata(found, made)
}

# With the geometries and without what lookups say, as asked for.
shaped <- function(connection, question, state, found, geometry) {
  kind <- question$kind
  geometries <- if (geometry) {
    if (is_place(kind)) feature_geometries(unlist(unname(state$pages), recursive = FALSE))
    else if (kind == "AggregatedAmounts") unit_areas(connection, question, state, found)
    else record_points(kind, found)
  }
  if (question$lookups) {
    own <- vapply(columns_of(kind), function(one) is.null(one$from) || one$from == "Organization", TRUE)
    found <- found[own]
  }
  if (geometry) with_geometry(found, geometries) else found
}

# The areas of the units that the records name.
unit_areas <- function(connection, question, state, found) {
  own <- question$query[names(question$query) == "OrganizationUUID"]
  units <- retrieve(connection, list(
    kind = "ReportingUnits", query = pinned(own, state$version), limit = Inf, lookups = FALSE, geometry = TRUE
  ))
  at <- match(found$ReportingUnitUUID, units$ReportingUnitUUID)
  areas <- c(sf::st_geometry(units), sf::st_sfc(sf::st_geometrycollection(), crs = 4326))
  areas[ifelse(is.na(at), length(areas), at)]
}

# What records say of sites, methods and so on, each once for its organization.
lookups_of <- function(kind, found) {
  columns <- columns_of(kind)
  names <- unique(unlist(lapply(columns, function(one) setdiff(one$from, "Organization"))))
  lapply(stats::setNames(names, names), function(name) {
    reference <- tables$references[[kind]][[name]]
    own <- names(Filter(function(one) identical(one$from, name), columns))
    identifier <- if (reference$isList && !is.null(reference$within)) reference$within else reference$member
    lists <- vapply(columns[own], function(one) one$list, TRUE)
    rows <- if (all(lists)) rep(seq_len(nrow(found)), lengths(found[[identifier]])) else seq_len(nrow(found))
    flat <- lapply(found[unique(c(identifier, own))], function(column) {
      if (is.list(column) && all(lists)) unlist(column) else column[rows]
    })
    made <- as_frame(c(list(OrganizationUUID = found$OrganizationUUID[rows]), flat))
    made <- made[!is.na(made[[identifier]]), ]
    made[!duplicated(made[c("OrganizationUUID", identifier)]), ]
  })
}

# All rows of an operation without exports, page after page in one version. `finish` makes the frame of the rows and
# of the last answer, which is NULL for what came before an interruption. `names` are those of its parameters.
take_rows <- function(connection, path, query, names, finish, limit = Inf, page = sizes$rows) {
  started <- Sys.time()
  rows <- list()
  answer <- NULL
  wanted <- min(limit, page)
  run <- function() {
    keeping(function() {
      while (is.null(answer) || (length(rows) < wanted && length(answer$json[[names$rows]]))) {
        count <- text_of_number(min(page, wanted - length(rows)))
        part <- stats::setNames(c(text_of_number(length(rows)), count), c(names$start, names$count))
        answer <<- fetch_one(connection, path, c(query, part))
        if (is.null(answer$json[[names$rows]])) other_version(names$rows)
        query <<- pinned(query, answer$header[["data-version"]])
        rows <<- c(rows, answer$json[[names$rows]])
        wanted <<- min(limit, answer$json[[names$total]])
        connection$say(sprintf("%s of %s", grouped(length(rows)), grouped(wanted)))
      }
      connection$say()
      total <- answer$json[[names$total]]
      made <- metadata_of(address_of(connection, path, query), answer$header, started, total, "pages")
      finish(rows, answer, made)
    }, run, function() finish(rows, NULL, NULL))
  }
  run()
}

v1_names <- function(rows, total) list(rows = rows, total = total, start = "StartIndex", count = "RecordCount")
