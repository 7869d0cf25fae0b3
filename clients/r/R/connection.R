# HTTP requests to the service, with the key and with retries. The key is sent to no other host.

# In seconds: the total time that a call may spend without receiving data, the timeout for a connection, the longest
# pause within an answer, the shortest timeout of an attempt, how long a refused connection is retried at the first
# request, and how long a wait lasts before the user is told the reason.
bounds <- list(
  patience = 120, connect_seconds = 10, stall_seconds = 180, shortest_attempt = 3, refused_seconds = 3,
  silent_seconds = 3
)

# Some cloud gateways limit addresses to 8 KB and query strings to 4 KB. A longer query is sent in the body.
longest_address <- 4000

# The address of a service and its key, from arguments or from environment variables.
connect <- function(url = NULL, key = NULL, patience = bounds$patience, progress = NULL) {
  require_seconds("patience", patience)
  if (!is.null(progress)) require_switch("progress", progress)
  list(
    url = find_url(url), key = find_key(key), patience = patience,
    progress = if (is.null(progress)) interactive() || isatty(stderr()) else progress,
    told = progress, waiting = new_waiting()
  )
}

find_url <- function(url) {
  if (!is.null(url)) require_text("url", url)
  found <- sub("/+$", "", trimws(if (is.null(url)) Sys.getenv("WATER_DATA_URL") else url))
  if (found != "" && !grepl("^https?://[^/?#]", found)) {
    bad_argument("The address of the service (url) needs https:// or http://: \"", found, "\".")
  }
  parts <- regmatches(found, regexec("^(https?)://([^/?#]+)[^?#]*([?#].*)?$", found))[[1]]
  if (length(parts) == 0) {
    bad_argument("Set the address of the service: url = \"https://HOST\", or the environment variable WATER_DATA_URL.")
  }
  if (parts[4] != "" || grepl("@", parts[3], fixed = TRUE)) {
    bad_argument("The address of the service must not contain a query or a key: set the key separately.")
  }
  if (parts[2] == "http" && !sub(":[0-9]*$", "", parts[3]) %in% c("127.0.0.1", "localhost", "[::1]")) {
    bad_argument("The key would be sent in clear text: write https://", parts[3], ".")
  }
  found
}

# Reads the same key file as the Python client.
find_key <- function(key) {
  if (!is.null(key) && (!is.character(key) || length(key) != 1)) {
    bad_argument("key must be a single text, not of class ", class(key)[1], ".")
  }
  folder <- Sys.getenv(if (.Platform$OS.type == "windows") "APPDATA" else "XDG_CONFIG_HOME")
  file <- file.path(if (folder == "") path.expand("~/.config") else folder, "waterdataquery", "key")
  key <- trimws(if (is.null(key)) Sys.getenv("WATER_DATA_KEY") else key)
  if (key == "" && file.exists(file)) key <- trimws(c(readLines(file, n = 1, warn = FALSE), "")[1])
  if (key != "") return(key)
  fail("water_key_refused", "There is no key: set key =, set WATER_DATA_KEY, or write it into ", file, ".")
}

address_of <- function(connection, path, query = character()) {
  if (length(query) == 0) return(paste0(connection$url, path))
  pairs <- paste0(curl::curl_escape(names(query)), "=", curl::curl_escape(query))
  paste0(connection$url, path, "?", paste(pairs, collapse = "&"))
}

# Requests several addresses in parallel, retries until each has an answer, and calls `take(index, answer)` for each.
fetch <- function(connection, addresses, take) {
  files <- tempfile(rep("answer", length(addresses)))
  on.exit(unlink(files))
  left <- seq_along(addresses)
  attempt <- 0
  while (length(left)) {
    attempt <- attempt + 1
    started <- Sys.time()
    answers <- send(connection, addresses[left], files[left])
    failed <- vapply(answers, inherits, TRUE, "water_data_error")
    for (at in which(!failed)) take(left[at], answers[[at]])
    left <- left[failed]
    seconds <- if (all(failed)) as.numeric(difftime(Sys.time(), started, units = "secs")) else 0
    if (length(left)) wait_after(connection, answers[failed], seconds, attempt)
  }
}

# Returns one answer in JSON, with its metadata.
fetch_one <- function(connection, path, query = character()) {
  started <- Sys.time()
  address <- address_of(connection, path, query)
  found <- NULL
  fetch(connection, address, function(index, answer) {
    found <<- list(json = jsonlite::read_json(answer$file), made = metadata_of(address, answer$header, started))
  })
  found
}

# Downloads a file that never changes. A download that was cut off is resumed, also by a later call.
save_file <- function(connection, described, file) {
  part <- paste0(file, "-", substr(described$SHA256, 1, 16), ".part")
  attempt <- 0
  repeat {
    have <- if (file.exists(part)) file.size(part) else 0
    if (have >= described$Bytes) break
    started <- Sys.time()
    answer <- send(connection, address_of(connection, described$Path), part, is_file = TRUE)[[1]]
    # The service may redirect to a storage account, whose address contains its own access token.
    storage <- answer$header$location
    if (!is.null(storage)) answer <- send(within(connection, key <- NULL), storage, part, is_file = TRUE)[[1]]
    came <- file.exists(part) && file.size(part) > have
    attempt <- if (came) 0 else attempt + 1
    seconds <- as.numeric(difftime(Sys.time(), started, units = "secs"))
    if (inherits(answer, "water_data_error") && !came) wait_after(connection, list(answer), seconds, attempt)
  }
  if (as.character(openssl::sha256(file(part, raw = TRUE))) != described$SHA256) {
    unlink(part)
    fail("water_connection_failed", described$Path, " was damaged during the transfer: its SHA-256 differs. Try again.")
  }
  file.rename(part, file)
}

# Sends one request to each address in parallel and writes each answer to a file. With `is_file`, an existing file is
# resumed and stored as is. Returns answers or errors. Redirects are not followed, so that the key is sent to no other
# host.
send <- function(connection, addresses, files, is_file = FALSE) {
  # curl writes no file for an answer without a body.
  if (!is_file) file.create(files)
  key <- if (!is.null(connection$key)) paste("X-API-Key:", connection$key)
  longest <- max(bounds$shortest_attempt, seconds_left(connection))
  is_posted <- !is_file && any(nchar(addresses, "bytes") > longest_address)
  request <- if (is_posted) with_form(addresses) else list(addresses = addresses)
  options <- list(
    resume = is_file, progress = is_file && connection$progress, useragent = "waterdataquery-r", followlocation = FALSE,
    httpheader = c(key, if (is_file) "Accept-Encoding: identity", request$type),
    # The timeout of an attempt ends no later than the remaining patience.
    connecttimeout = ceiling(min(bounds$connect_seconds, longest)),
    low_speed_limit = 1, low_speed_time = ceiling(min(bounds$stall_seconds, longest)),
    # The body of an error must not be appended to the file.
    failonerror = is_file
  )
  if (is_posted) options <- c(options, post = TRUE, copypostfields = request$form)
  came <- do.call(curl::multi_download, c(list(request$addresses, files), options))
  # multi_download() also returns after an interruption.
  if (anyNA(came$success)) stop(interruption())
  answers <- lapply(seq_along(addresses), function(at) {
    checked_answer(as.list(came[at, ]), is_file, !connection$waiting$has_answered)
  })
  if (any(came$status_code > 0)) connection$waiting$has_answered <- TRUE
  answers
}

# Sends the parameters that all queries of a retrieval share in the body; the others stay in the addresses.
with_form <- function(addresses) {
  parts <- strsplit(addresses, "?", fixed = TRUE)
  queries <- lapply(parts, function(part) strsplit(part[2], "&", fixed = TRUE)[[1]])
  form <- Reduce(intersect, queries)
  rest <- vapply(queries, function(query) paste(setdiff(query, form), collapse = "&"), "")
  operations <- vapply(parts, `[`, "", 1)
  list(
    addresses = ifelse(rest == "", operations, paste0(operations, "?", rest)),
    type = "Content-Type: application/x-www-form-urlencoded",
    form = paste(form, collapse = "&")
  )
}

# Only files may be redirected; any other redirect means that the address of the service is wrong.
moved_answer <- function(came, header, is_file) {
  if (is_file) return(list(header = header, file = came$destfile))
  water_error("water_refused", sprintf("The service has moved to %s: set url to that address.", header$location))
}

checked_answer <- function(came, is_file, is_first) {
  if (!came$success && came$status_code < 400) return(failure_of(came$url, came$error, is_first))
  header <- curl::parse_headers_list(paste(came$headers[[1]], collapse = "\r\n"))
  status <- came$status_code
  if (status >= 400) return(answer_error(came$url, status, header, if (is_file) "" else body_of(came$destfile)))
  if (!is.null(header$location)) return(moved_answer(came, header, is_file))
  is_foreign <- if (is_file) is_page(header) else is.null(header[["data-version"]])
  if (!is_foreign) return(list(header = header, file = came$destfile))
  # The body of an error must not stay in the file.
  on.exit(unlink(came$destfile))
  foreign_error(came$url, status, header, body_of(came$destfile))
}
