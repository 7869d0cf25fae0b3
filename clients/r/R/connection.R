# Asks the service: with the key, patiently, and never telling the key to anybody else.

# How often one request is sent, and how many seconds are waited between its attempts in all.
bounds <- list(tries = 60, patience = 120, connect_seconds = 30, stall_seconds = 180)

# Front ends of cloud platforms cut addresses at 8 KB and query strings at 4 KB. A longer query goes into a body.
longest_address <- 4000

# A service and a key, both as arguments or from the surroundings.
connect <- function(url = NULL, key = NULL, patience = bounds$patience, progress = NULL) {
  list(
    url = find_url(url), key = find_key(key), patience = patience,
    progress = if (is.null(progress)) interactive() || isatty(stderr()) else progress
  )
}

find_url <- function(url) {
  found <- sub("/+$", "", if (is.null(url)) Sys.getenv("WATER_DATA_URL") else url)
  parts <- regmatches(found, regexec("^(https?)://([^/?#]+)[^?#]*([?#].*)?$", found))[[1]]
  if (length(parts) == 0) {
    bad_argument("Say where the service is: url = \"https://HOST\", or the environment variable WATER_DATA_URL.")
  }
  if (parts[4] != "" || grepl("@", parts[3], fixed = TRUE)) {
    bad_argument("The address of the service has neither a query nor a key in it: give the key by itself.")
  }
  if (parts[2] == "http" && !sub(":[0-9]*$", "", parts[3]) %in% c("127.0.0.1", "localhost", "[::1]")) {
    bad_argument("The key would go over the network in clear text: write https://", parts[3], ".")
  }
  found
}

# The file is that of the Python client.
find_key <- function(key) {
  folder <- Sys.getenv(if (.Platform$OS.type == "windows") "APPDATA" else "XDG_CONFIG_HOME")
  file <- file.path(if (folder == "") path.expand("~/.config") else folder, "waterdataquery", "key")
  key <- trimws(if (is.null(key)) Sys.getenv("WATER_DATA_KEY") else key)
  if (key == "" && file.exists(file)) key <- trimws(c(readLines(file, n = 1, warn = FALSE), "")[1])
  if (key != "") return(key)
  fail("water_key_refused", "There is no key: give key =, set WATER_DATA_KEY, or write it into ", file, ".")
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
  wait <- patience_of(connection)
  while (length(left)) {
    answers <- send(connection, addresses[left], files[left])
    failed <- vapply(answers, inherits, TRUE, "water_data_error")
    for (at in which(!failed)) take(left[at], answers[[at]])
    left <- left[failed]
    if (length(left)) wait(answers[failed])
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
  part <- paste0(file, ".part")
  wait <- patience_of(connection)
  size <- function() if (file.exists(part)) file.size(part) else 0
  while ((have <- size()) < described$Bytes) {
    answer <- send(connection, address_of(connection, described$Path), part, is_file = TRUE)[[1]]
    # A file may lie in a storage, whose address has its own right to read in it.
    storage <- answer$header$location
    if (!is.null(storage)) answer <- send(within(connection, key <- NULL), storage, part, is_file = TRUE)[[1]]
    if (inherits(answer, "water_data_error") && size() == have) wait(list(answer))
  }
  if (as.character(openssl::sha256(file(part, raw = TRUE))) != described$SHA256) {
    unlink(part)
    fail("water_connection_failed", described$Path, " did not come as it was sent: its SHA-256 is another. Ask again.")
  }
  file.rename(part, file)
}

# Waits after cuts, 429 and 503 as the service asks, as long as patience lasts; other errors are raised at once.
patience_of <- function(connection) {
  waited <- 0
  attempt <- 0
  function(errors) {
    attempt <<- attempt + 1
    error <- errors[[which.min(vapply(errors, function(one) one$retryable, TRUE))]]
    pause <- if (is.null(error$retry_after)) min(0.05 * 2^attempt, 1) else error$retry_after
    if (!error$retryable || attempt == bounds$tries || waited + pause > connection$patience) stop(error)
    waited <<- waited + pause
    Sys.sleep(pause)
  }
}

# One attempt for each address, side by side, each into a file; `is_file` adds what is missing of it, as it is stored.
# Gives answers or errors. Redirects are not followed, so that the key goes to nobody else.
send <- function(connection, addresses, files, is_file = FALSE) {
  # An answer without a body writes none.
  if (!is_file) file.create(files)
  key <- if (!is.null(connection$key)) paste("X-API-Key:", connection$key)
  is_posted <- !is_file && any(nchar(addresses, "bytes") > longest_address)
  request <- if (is_posted) with_form(addresses) else list(addresses = addresses)
  options <- list(
    resume = is_file, progress = is_file && connection$progress, useragent = "waterdataquery-r", followlocation = FALSE,
    httpheader = c(key, if (is_file) "Accept-Encoding: identity", request$type),
    connecttimeout = bounds$connect_seconds,
    low_speed_limit = 1, low_speed_time = bounds$stall_seconds,
    # What an error says is no part of a file.
    failonerror = is_file
  )
  if (is_posted) options <- c(options, post = TRUE, copypostfields = request$form)
  came <- do.call(curl::multi_download, c(list(request$addresses, files), options))
  # multi_download() returns after an interruption, too.
  if (anyNA(came$success)) stop(interruption())
  lapply(seq_along(addresses), function(at) checked_answer(as.list(came[at, ]), is_file))
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

checked_answer <- function(came, is_file) {
  if (!came$success && came$status_code < 400) {
    said <- sprintf("%s did not answer completely: %s", sub("(//[^/]*).*", "\\1", came$url), came$error)
    return(water_error("water_connection_failed", said))
  }
  header <- curl::parse_headers_list(paste(came$headers[[1]], collapse = "\r\n"))
  if (came$status_code >= 400) {
    problem <- if (!is_file) tryCatch(jsonlite::read_json(came$destfile), error = function(cause) NULL)
    return(answer_error(came$status_code, as.list(problem), header[["retry-after"]]))
  }
  if (!is.null(header$location) && !is_file) {
    return(water_error("water_refused", sprintf("The service is at %s now: give its address as url.", header$location)))
  }
  list(header = header, file = came$destfile)
}
