# Asks the service: with the key, patiently, and never telling the key to anybody else.

# How many seconds a call waits in all while nothing comes, within how many a server accepts a connection, how long an
# answer may pause, how long an attempt takes at least, how long a port that never listened is tried, and after how many
# seconds of silence something is said.
bounds <- list(
  patience = 120, connect_seconds = 10, stall_seconds = 180, shortest_attempt = 3, refused_seconds = 3,
  silent_seconds = 3
)

# Front ends of cloud platforms cut addresses at 8 KB and query strings at 4 KB. A longer query goes into a body.
longest_address <- 4000

# A service and a key, both as arguments or from the surroundings.
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

# The file is that of the Python client.
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

# Asks for several addresses side by side until each is answered, and gives each answer to `take(index, answer)`.
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

# One answer in JSON, with its metadata.
fetch_one <- function(connection, path, query = character()) {
  started <- Sys.time()
  address <- address_of(connection, path, query)
  found <- NULL
  fetch(connection, address, function(index, answer) {
    found <<- list(json = jsonlite::read_json(answer$file), made = metadata_of(address, answer$header, started))
  })
  found
}

# Takes a file that never changes; a cut goes on where it was, also in a later call.
save_file <- function(connection, described, file) {
  part <- paste0(file, "-", substr(described$SHA256, 1, 16), ".part")
  attempt <- 0
  repeat {
    have <- if (file.exists(part)) file.size(part) else 0
    if (have >= described$Bytes) break
    started <- Sys.time()
    answer <- send(connection, address_of(connection, described$Path), part, is_file = TRUE)[[1]]
    # A file may lie in a storage, whose address has its own right to read in it.
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

# One attempt for each address, side by side, each into a file; `is_file` adds what is missing of it, as it is stored.
# Gives answers or errors. Redirects are not followed, so that the key goes to nobody else.
send <- function(connection, addresses, files, is_file = FALSE) {
  # An answer without a body writes none.
  if (!is_file) file.create(files)
  key <- if (!is.null(connection$key)) paste("X-API-Key:", connection$key)
  longest <- max(bounds$shortest_attempt, seconds_left(connection))
  is_posted <- !is_file && any(nchar(addresses, "bytes") > longest_address)
  request <- if (is_posted) with_form(addresses) else list(addresses = addresses)
  options <- list(
    resume = is_file, progress = is_file && connection$progress, useragent = "waterdataquery-r", followlocation = FALSE,
    httpheader = c(key, if (is_file) "Accept-Encoding: identity", request$type),
    # An attempt may not outlast patience.
    connecttimeout = ceiling(min(bounds$connect_seconds, longest)),
    low_speed_limit = 1, low_speed_time = ceiling(min(bounds$stall_seconds, longest)),
    # What an error says is no part of a file.
    failonerror = is_file
  )
  if (is_posted) options <- c(options, post = TRUE, copypostfields = request$form)
  came <- do.call(curl::multi_download, c(list(request$addresses, files), options))
  # multi_download() returns after an interruption, too.
  if (anyNA(came$success)) stop(interruption())
  answers <- lapply(seq_along(addresses), function(at) {
    checked_answer(as.list(came[at, ]), is_file, !connection$waiting$has_answered)
  })
  if (any(came$status_code > 0)) connection$waiting$has_answered <- TRUE
  answers
}

# What the queries of one retrieval have in common goes into a body; what tells them apart stays in their addresses.
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

# Files may be elsewhere; the service is where its address says.
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
  # What a page says is no part of a file.
  on.exit(unlink(came$destfile))
  foreign_error(came$url, status, header, body_of(came$destfile))
}
