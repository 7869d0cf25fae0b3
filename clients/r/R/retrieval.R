# Fetches all rows of a query in parallel pages. A question is a list of the connection, operation, query and format,
# and the `columns` of its rows.

# The first page has all results of most queries. Results of more than `by_pages` records are read from files if they
# are whole data sets.
sizes <- list(first = 1000, page = 10000, at_once = 4, by_pages = 20000)

# The common first step of all functions. It refuses wrong arguments before any request is sent.
open_question <- function(operation, arguments, limit = NULL, caller = caller_of(operation)) {
  arguments <- Filter(function(argument) !is.null(argument), arguments)
  own <- names(arguments) %in% names(connection_arguments)
  query <- query_of(operation, arguments[!own], caller)
  if (!operation %in% c(operations, "Inventory") && !endsWith(operation, "/Removed")) require_one_part(query, caller)
  if (is.null(limit)) limit <- Inf
  require_limit(limit)
  list(
    connection = do.call(connect, arguments[own]), path = paste0("/v1/", operation), query = query,
    names = c("StartIndex", "RecordCount"), limit = limit, size = sizes$page
  )
}

# Later requests ask for the version of the first answer, even if a new version is published in the meantime.
pinned <- function(query, version) if ("DataVersion" %in% names(query)) query else c(query, DataVersion = version)

# Returns a frame of all rows. `read` converts an answer to rows; `whole` may return all rows from files; `finish`
# changes the frame. After an interruption, `finish` gets a frame without metadata. With `join`, a question may have
# long lists.
collect <- function(question, read, finish = identity, whole = function(made) NULL) {
  queries <- if (is.null(question$join)) list(question$query) else parts_of(question$query)
  collector <- if (length(queries) > 1) parts_collector(question, queries, read)
  else pages_collector(question, read, whole)
  resumable(function() {
    begin_waiting(question$connection$waiting)
    found <- finish(collector$run())
    if (isTRUE(question$asked)) tell_of_nothing(found, question$query)
    found
  }, function() finish(collector$rows()))
}

# For changes, an empty result gives no message.
tell_of_nothing <- function(found, query = character()) {
  if (nrow(found) > 0 || "ChangedSince" %in% names(query)) return(invisible())
  hint <- metadata(found)$hint
  said <- paste0("No records match.", if (!is.null(hint)) paste0(" ", sub("[.]?$", ".", hint)), "\n")
  message(structure(class = c("water_nothing_found", "message", "condition"), list(message = said, call = NULL)))
}

# Fetches page after page; `rows` returns the rows fetched so far.
pages_collector <- function(question, read, whole = function(made) NULL) {
  started <- Sys.time()
  size <- question$size
  question$size <- min(sizes$first, size)
  made <- NULL
  pages <- list()
  starts <- numeric()
  keep <- function(start, page, header) {
    if (is.null(made)) {
      question$query <<- pinned(question$query, header[["data-version"]])
      question$limit <<- min(question$limit, as.numeric(header[["x-total-count"]]))
      question$size <<- size
      made <<- metadata_of(address_of(question$connection, question$path, question$query), header, started)
    }
    pages[[length(pages) + 1]] <<- page
    starts <<- c(starts, start)
    # The progress is shown only from the second page on.
    if (question$connection$progress && start > 0) {
      counts <- prettyNum(as.integer(c(sum(vapply(pages, nrow, 0L)), question$limit)), big.mark = ",")
      cat("\r", counts[1], " of ", counts[2], " records", if (counts[1] == counts[2]) "\n", sep = "", file = stderr())
    }
  }
  rows <- function() {
    if (length(pages) == 0) from_rows(question$columns, list()) else do.call(rbind, pages[order(starts)])
  }
  run <- function() {
    if (is.null(made)) take_pages(question, read, 0, keep)
    found <- whole(made)
    source <- if (is.null(found)) "pages" else "files"
    if (is.null(found)) {
      first <- nrow(pages[[1]])
      more <- seq(first, by = question$size, length.out = ceiling((question$limit - first) / question$size))
      while (length(left <- setdiff(more, starts))) {
        take_pages(question, read, utils::head(left, sizes$at_once), keep)
      }
      found <- rows()
    }
    structure(found, metadata = metadata_of(made$url, made$header, started, source))
  }
  list(run = run, rows = rows)
}

# Fetches pages in parallel, and passes each to `keep(start, page, header)`.
take_pages <- function(question, read, starts, keep) {
  counts <- pmin(question$size, question$limit - starts)
  addresses <- mapply(function(...) {
    part <- stats::setNames(sprintf("%.0f", c(...)), question$names)
    address_of(question$connection, question$path, c(question$query, part, question$form))
  }, starts, counts)
  fetch(question$connection, addresses, function(index, answer) {
    page <- read(answer)
    total <- as.numeric(answer$header[["x-total-count"]])
    if (length(total) == 0 || is.null(answer$header[["data-version"]])) other_version("total, or no data version")
    due <- min(counts[index], total - starts[index])
    if (nrow(page) != due) {
      fail("water_connection_failed", "A page has ", nrow(page), " records where ", due, " were asked for.")
    }
    keep(starts[index], page, answer$header)
  })
}

# Adds the rows fetched so far, and a function that resumes, to an error that ends a retrieval.
resumable <- function(run, partial) {
  raise <- function(error) {
    error$partial <- partial()
    error$resume <- function() resumable(run, partial)
    stop(error)
  }
  tryCatch(run(), water_data_error = raise, interrupt = function(cause) raise(interruption()))
}
