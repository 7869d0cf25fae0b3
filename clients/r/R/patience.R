# How long a call waits in total, and which failures waiting cannot fix.

# The state of a call's waits: the seconds without data, and whether the service has ever answered.
new_waiting <- function() {
  waiting <- new.env(parent = emptyenv())
  waiting$has_answered <- FALSE
  begin_waiting(waiting)
  waiting
}

begin_waiting <- function(waiting) {
  waiting$spent <- 0
  waiting$next_word <- bounds$silent_seconds
}

seconds_left <- function(connection) max(0, connection$patience - connection$waiting$spent)

# Waits after broken connections, 429 and 503 as long as the service asks, within the patience; raises other errors at
# once. `seconds` is how long the attempts took without receiving data.
wait_after <- function(connection, errors, seconds, attempt) {
  waiting <- connection$waiting
  waiting$spent <- waiting$spent + seconds
  error <- errors[[which.min(vapply(errors, function(one) one$retryable, TRUE))]]
  pause <- if (is.null(error$retry_after)) min(0.05 * 2^attempt, 1) else error$retry_after
  left <- seconds_left(connection)
  # If the service has never answered, the address is wrong or the service is just restarting.
  if (isTRUE(error$unreached)) left <- left - max(0, connection$patience - bounds$refused_seconds)
  if (!error$retryable || pause > left) stop(error)
  if (!isFALSE(connection$told) && waiting$spent + pause >= waiting$next_word) {
    waiting$next_word <- waiting$spent + pause + 10
    said <- strsplit(conditionMessage(error), "\n", fixed = TRUE)[[1]][1]
    message(sprintf("Waiting (%.0f s of patience left): %s", left, said))
  }
  waiting$spent <- waiting$spent + pause
  Sys.sleep(pause)
}

# The error for an attempt without an answer, from libcurl's message. At the first request the host name or address is
# probably wrong; later the network may recover.
failure_of <- function(url, said, is_first) {
  has <- function(pattern) grepl(pattern, said, ignore.case = TRUE)
  unreached <- FALSE
  lasting <- TRUE
  if (has("proxy|CONNECT tunnel")) {
    text <- "The proxy refused the connection to %s: %s. Check HTTPS_PROXY and NO_PROXY."
  } else if (has("certificate|CA cert|issuer")) {
    text <- paste(
      "The certificate of %s is not trusted: %s. If your agency uses a proxy, set CURL_CA_BUNDLE to the",
      "file with your agency's certificate (PEM)."
    )
  } else if (has("SSL|TLS|wrong version number")) {
    text <- "No secure connection to %s is possible: %s. Check whether it is https:// and the port."
  } else if (has("resolve host|resolve name")) {
    text <- "The host name in %s is unknown: %s. Check url or WATER_DATA_URL, and your network."
    lasting <- is_first
  } else if (has("failed to connect|couldn't connect|could not connect|connection refused|connection timed? ?out")) {
    text <- paste(
      "Could not connect to %s: %s. Check url or WATER_DATA_URL and its port; a firewall may need HTTPS_PROXY."
    )
    lasting <- is_first && has("timed? ?out|timeout")
    unreached <- is_first
  } else {
    text <- "%s did not answer completely: %s"
    lasting <- FALSE
  }
  error <- water_error("water_connection_failed", sprintf(text, sub("(//[^/]*).*", "\\1", url), said))
  error$retryable <- !lasting
  error$unreached <- unreached
  error
}
