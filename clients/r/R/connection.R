# Asks the service: with the key, patiently, and never telling the key to anybody else.

# How often one request is sent, and how many seconds are waited between its attempts in all.
bounds <- list(tries = 60, patience = 120, connect_seconds = 30, stall_seconds = 180)

user_folder <- function(variable, below_home, on_windows) {
  chosen <- Sys.getenv(if (.Platform$OS.type == "windows") on_windows else variable)
  file.path(if (chosen == "") path.expand(file.path("~", below_home)) else chosen, "waterdataquery")
}

cache_folder <- function() {
  chosen <- Sys.getenv("WATER_DATA_CACHE")
  if (chosen == "") tools::R_user_dir("waterdataquery", "cache") else chosen
}

# A service and a key, both as arguments or from the surroundings.
connect <- function(url = NULL, key = NULL, patience = NULL, progress = NULL) {
  list(
    url = find_url(url), key = find_key(key),
    patience = if (is.null(patience)) bounds$patience else patience,
    say = progress_line(progress)
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

find_key <- function(key) {
  file <- file.path(user_folder("XDG_CONFIG_HOME", ".config", "APPDATA"), "key")
  found <- if (is.null(key)) Sys.getenv("WATER_DATA_KEY") else key
  if (found == "" && file.exists(file)) found <- readLines(file, n = 1, warn = FALSE)
  if (trimws(found) == "") {
    stop(water_error("water_key_refused", sprintf(
      "There is no key: give key =, set WATER_DATA_KEY, or write it into %s.", file
    )))
  }
  trimws(found)
}

address_of <- function(connection, path, query = character()) {
  if (length(query) == 0) return(paste0(connection$url, path))
  pairs <- paste0(curl::curl_escape(names(query)), "=", curl::curl_escape(query))
  paste0(connection$url, path, "?", paste(pairs, collapse = "&"))
}

# Asks for several addresses side by side until each is answered, and gives each answer to `take(index, answer)`.
fetch <- function(connection, addresses, take) {
  left <- seq_along(addresses)
  wait <- patience_of(connection)
  while (length(left)) {
    answers <- send(connection, addresses[left])
    failed <- vapply(answers, inherits, TRUE, "water_data_error")
    for (at in which(!failed)) {
      location <- answers[[at]]$header$location
      if (!is.null(location)) {
        stop(water_error("water_refused", paste0("The service is at ", location, " now: give its address as url.")))
      }
      take(left[at], answers[[at]])
    }
    left <- left[failed]
    if (length(left)) wait(answers[failed], anew = !all(failed))
  }
}

# Waits after cuts, 429 and 503 as the service asks, as long as patience lasts; other errors are raised at once.
patience_of <- function(connection) {
  waited <- 0
  attempt <- 0
  function(errors, anew = FALSE) {
    # Attempts are counted anew as long as each brings something.
    attempt <<- if (anew) 1 else attempt + 1
    error <- errors[[which.min(vapply(errors, function(one) one$retryable, TRUE))]]
    pause <- if (is.null(error$retry_after)) min(0.05 * 2^attempt, 1) else error$retry_after
    if (!error$retryable || attempt == bounds$tries || waited + pause > connection$patience) stop(error)
    waited <<- waited + pause
    Sys.sleep(pause)
  }
}

# One answer in JSON, with what metadata_of() takes.
fetch_one <- function(connection, path, query = character()) {
  address <- address_of(connection, path, query)
  state <- list(started = Sys.time(), source = "pages", url = address)
  fetch(connection, address, function(index, answer) {
    state$header <<- answer$header
    state$version <<- answer$header[["data-version"]]
    state$json <<- jsonlite::parse_json(text_of(answer))
  })
  state
}

text_of <- function(answer) {
  text <- rawToChar(answer$content)
  Encoding(text) <- "UTF-8"
  text
}

# One attempt for each address, side by side. Each gives an answer as curl has it, or a water_data_error. `sink` takes
# the bytes of good answers as they come; redirects are not followed, so that the key goes to nobody else.
send <- function(connection, addresses, headers = list("X-API-Key" = connection$key), sink = NULL) {
  answers <- vector("list", length(addresses))
  pool <- curl::new_pool(total_con = sizes$at_once, host_con = sizes$at_once)
  for (at in seq_along(addresses)) local({
    at <- at
    handle <- curl::new_handle(
      url = addresses[at], useragent = "waterdataquery-r", followlocation = FALSE,
      connecttimeout = bounds$connect_seconds, low_speed_limit = 1, low_speed_time = bounds$stall_seconds
    )
    curl::handle_setheaders(handle, .list = headers)
    refused <- raw()
    stream <- if (is.null(sink)) NULL else function(bytes, ...) {
      if (curl::handle_data(handle)$status_code < 300) sink(bytes) else refused <<- c(refused, bytes)
    }
    done <- function(answer) {
      if (!is.null(stream)) answer$content <- refused
      answers[[at]] <<- checked_answer(answer)
    }
    fail <- function(reason) {
      said <- sprintf("%s did not answer completely: %s", connection$url, reason)
      answers[[at]] <<- water_error("water_connection_failed", said)
    }
    curl::multi_add(handle, done = done, fail = fail, data = stream, pool = pool)
  })
  curl::multi_run(pool = pool)
  answers
}

checked_answer <- function(answer) {
  answer$header <- curl::parse_headers_list(answer$headers)
  if (answer$status_code < 400) return(answer)
  problem <- tryCatch(jsonlite::parse_json(text_of(answer)), error = function(cause) list())
  seconds <- suppressWarnings(as.numeric(answer$header[["retry-after"]]))
  answer_error(answer$status_code, problem, if (length(seconds) && !is.na(seconds)) seconds)
}

# Writes an answer to a file, or what is missing of one to its end. Returns the error that ended it, if any.
save_answer <- function(connection, address, file, say, have = 0) {
  out <- file(file, if (have > 0) "ab" else "wb")
  on.exit(close(out))
  sink <- function(bytes) {
    writeBin(bytes, out)
    have <<- have + length(bytes)
    say(have)
  }
  # Files are compressed in themselves.
  headers <- c(list("Accept-Encoding" = "identity"), if (have > 0) list(Range = sprintf("bytes=%.0f-", have)))
  answer <- send(connection, address, c(headers, "X-API-Key" = connection$key), sink)[[1]]
  # A file may lie in a storage, whose address has its own right to read in it.
  location <- answer$header$location
  if (!is.null(location)) answer <- send(connection, location, headers, sink)[[1]]
  if (inherits(answer, "water_data_error")) answer
}

# Takes a file that never changes; a cut goes on where it was, also in a later call.
save_file <- function(connection, described, file, say) {
  part <- paste0(file, ".part")
  wait <- patience_of(connection)
  size <- function() if (file.exists(part)) file.size(part) else 0
  while ((have <- size()) < described$Bytes) {
    error <- save_answer(connection, address_of(connection, described$Path), part, say, have)
    if (!is.null(error) && size() == have) wait(list(error))
  }
  content <- file(part, "rb")
  on.exit(close(content))
  if (as.character(openssl::sha256(content)) != described$SHA256) {
    unlink(part)
    stop(water_error("water_connection_failed", paste0(
      described$Path, " did not come as it was sent: its SHA-256 is another. Ask again."
    )))
  }
  file.rename(part, file)
  file
}

# Says how far a transfer is, in one line on terminals; nothing in the first second, and nothing where nobody looks.
progress_line <- function(shown) {
  visible <- if (is.null(shown)) interactive() || isatty(stderr()) else shown
  started <- proc.time()[["elapsed"]] - if (isTRUE(shown)) 1 else 0
  width <- 0
  function(text = "") {
    if (!visible || (text == "" && width == 0) || proc.time()[["elapsed"]] - started < 1) return(invisible())
    cat("\r", formatC(text, width = -width), if (text == "") "\r", sep = "", file = stderr())
    width <<- nchar(text)
  }
}
