# Distinguishes answers of this service from those of a proxy or gateway in between, and makes the matching error.

# The maximum number of characters quoted from another server's answer.
quoted_characters <- 200

# The error for an answer with an error status, with the message of the server that answered.
answer_error <- function(url, status, header, body) {
  problem <- parsed_json(body)
  retry_after <- seconds_to_wait(header[["retry-after"]])
  if (is.list(problem) && is.character(problem$title) && !is.null(problem$type)) {
    return(water_error(status_class(status), problem_text(status, problem), status, problem, retry_after))
  }
  # These statuses mean the same from any server: try again later, or nothing exists at this address.
  is_shared <- status %in% c(404, 429) || status >= 500
  class <- if (is_shared) status_class(status) else "water_not_from_service"
  water_error(class, foreign_sentence(url, status, header, body), status, retry_after = retry_after)
}

status_class <- function(status) {
  switch(as.character(status),
    "400" = "water_bad_argument", "401" = , "403" = "water_key_refused", "404" = "water_not_offered",
    "410" = "water_version_gone", "429" = "water_too_many_requests",
    if (status >= 500) "water_service_busy" else "water_refused"
  )
}

problem_text <- function(status, problem) {
  listed <- Filter(is.list, as.list(problem$errors))
  lines <- vapply(listed, function(one) {
    name <- paste0(one$parameter, "")
    argument <- names(Filter(function(parameter) identical(parameter$name, name), all_parameters()))
    argument <- if (any(argument %in% boundaries)) "boundary: "
    else if (length(argument)) paste0(argument[1], ": ") else ""
    sprintf("  %s%s %s (found: %s)", argument, name, paste0(one$message, ""), paste0(one$value, ""))
  }, "")
  first <- trimws(sprintf("HTTP %d: %s. %s", status, problem$title, paste0(problem$detail, "")))
  paste(c(first, lines), collapse = "\n")
}

# The error for a successful answer without Data-Version, a header that every answer of this service has.
foreign_error <- function(url, status, header, body) {
  water_error("water_not_from_service", foreign_sentence(url, status, header, body), status)
}

# Whether the answer is an HTML page or JSON where a file was expected.
is_page <- function(header) {
  grepl("^(text/html|application/(json|xhtml))", paste0(header[["content-type"]], ""))
}

# Describes an answer of another server: the server, the status and type of its answer, and its message.
foreign_sentence <- function(url, status, header, body) {
  type <- tolower(trimws(sub(";.*", "", paste0(header[["content-type"]], ""))))
  body <- trimws(body)
  form <- if (body == "") "an empty answer"
  else if (grepl("html", type) || grepl("^(<!doctype html|<html)", body, ignore.case = TRUE)) "a web page"
  else if (grepl("json", type)) "JSON"
  else if (type == "") "text" else type
  words <- foreign_words(body, form)
  sprintf(
    "%s answered with%s %s, not with data of the service. %s%s", host_of(url),
    if (status < 400) "" else sprintf(" HTTP %d and", status), form,
    "A proxy or gateway may be in between, or url is not the address of the service.",
    if (words == "") "" else paste(" It says:", words)
  )
}

foreign_words <- function(body, form) {
  text <- body
  if (form == "a web page") {
    title <- regmatches(body, regexpr("(?is)<(title|h1)[^>]*>.*?</(title|h1)>", body, perl = TRUE))
    text <- gsub("(?s)<[^>]*>", " ", if (length(title)) title else body, perl = TRUE)
  } else if (form == "JSON") {
    text <- message_of(parsed_json(body))
  }
  substr(trimws(gsub("[[:space:]]+", " ", text)), 1, quoted_characters)
}

# Finds the message of a gateway in `message`, `error`, `error.message`, `detail` and so on.
message_of <- function(said) {
  if (is.character(said) && length(said) == 1) return(said)
  if (!is.list(said) || is.null(names(said))) return("")
  names(said) <- tolower(names(said))
  members <- c("message", "error_description", "detail", "details", "title", "reason", "error", "fault", "errors")
  found <- vapply(members, function(name) message_of(said[[name]]), "")
  c(found[found != ""], "")[[1]]
}

parsed_json <- function(text) tryCatch(jsonlite::parse_json(text), error = function(cause) NULL)

# Parses Retry-After, in seconds or as a date. NULL if it is invalid; the client then uses its own wait.
seconds_to_wait <- function(text) {
  text <- trimws(paste0(text, ""))
  if (grepl("^[0-9]{1,9}([.][0-9]+)?$", text)) return(as.numeric(text))
  until <- curl::parse_date(text)
  seconds <- as.numeric(difftime(until, Sys.time(), units = "secs"))
  if (isTRUE(seconds > 0)) seconds
}

host_of <- function(url) sub("^[a-z]+://([^/?#]*).*$", "\\1", url)

# The text of an answer that is not data, in UTF-8.
body_of <- function(file) {
  if (!file.exists(file)) return("")
  bytes <- readBin(file, "raw", min(file.size(file), 1e6))
  text <- rawToChar(bytes[bytes != as.raw(0)])
  Encoding(text) <- "UTF-8"
  if (validUTF8(text)) text else iconv(text, "latin1", "UTF-8")
}
