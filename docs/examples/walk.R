# Walks through all pages of a search, or of totals over it, and writes what it finds as CSV, one row for each.
#
#   WATER_KEY=... Rscript walk.R "http://127.0.0.1:7071/v1/SiteVariableAmounts?State=UT" records.csv
#   WATER_KEY=... Rscript walk.R "http://127.0.0.1:7071/v1/SiteVariableAmounts/Totals?GroupBy=County&GroupBy=Year" totals.csv
#
# Needs the packages jsonlite and curl. Lists within a record, such as its uses, are written as JSON.

library(curl)
library(jsonlite)

TRIES <- 5
SECONDS_TO_WAIT <- 2

main <- function(address, file) {
  key <- Sys.getenv("WATER_KEY")
  if (key == "") fail("Set WATER_KEY to your access key.")
  rows <- list()
  while (!is.null(address)) {
    answer <- ask(address, key)
    page <- fromJSON(rawToChar(answer$content), simplifyVector = FALSE, digits = NA)
    rows <- c(rows, rows_of(page))
    message(length(rows), " of ", page[[1]], " rows")
    address <- next_address(address, answer, page)
  }
  columns <- if (length(rows) == 0) character() else names(rows[[1]])
  table <- do.call(rbind, lapply(rows, function(row) vapply(row, cell, "")))
  if (is.null(table)) table <- matrix("", 0, 0)
  write.csv(as.data.frame(table), file, row.names = FALSE, na = "", fileEncoding = "UTF-8")
}

# The next page: the link, which stays on the first page's version of the data, or for a long query, which has no link,
# the next computed address. NULL at the end.
next_address <- function(address, answer, page) {
  link <- parse_headers_list(answer$headers)$link
  found <- if (is.null(link)) character() else regmatches(link, regexec("<([^>]*)>; rel=\"next\"", link))[[1]]
  if (length(found) == 2) return(absolute(found[2], address))
  start <- regmatches(address, regexec("[?&]StartIndex=([0-9]+)", address))[[1]]
  count <- length(rows_of(page))
  start <- count + if (length(start) == 2) as.numeric(start[2]) else 0
  if (count == 0 || start >= page[[1]]) return(NULL)
  version <- parse_headers_list(answer$headers)[["data-version"]]
  kept <- gsub("&(StartIndex|DataVersion)=[^&]*", "", sub("?", "?&", address, fixed = TRUE))
  mark <- if (grepl("?", kept, fixed = TRUE)) "" else "?"
  paste0(kept, mark, "&StartIndex=", format(start, scientific = FALSE), "&DataVersion=", version)
}

# A link without a host refers to the host of the request.
absolute <- function(link, address) {
  if (grepl("^https?://", link)) link else paste0(sub("^(https?://[^/]+).*", "\\1", address), link)
}

# Fetches one answer; waits and tries again while the service is busy.
ask <- function(address, key) {
  for (attempt in seq_len(TRIES)) {
    handle <- new_handle()
    handle_setheaders(handle, "X-API-Key" = key)
    answer <- tryCatch(curl_fetch_memory(address, handle), error = function(error) {
      fail("The service cannot be reached: ", conditionMessage(error))
    })
    headers <- parse_headers_list(answer$headers)
    if (answer$status_code == 200 && !is.null(headers[["data-version"]])) return(answer)
    if (!(answer$status_code %in% c(429, 503)) || attempt == TRIES) fail(sentence_of(answer))
    Sys.sleep(seconds_to_wait(headers[["retry-after"]]))
  }
}

# Retry-After contains seconds or a date; a proxy may write anything else.
seconds_to_wait <- function(text) {
  text <- paste0(text, "")
  if (grepl("^ *[0-9]+ *$", text)) return(as.numeric(text))
  seconds <- as.numeric(difftime(parse_date(text), Sys.time(), units = "secs"))
  if (isTRUE(seconds > SECONDS_TO_WAIT)) seconds else SECONDS_TO_WAIT
}

# The message of an error, including everything that is wrong with the parameters.
sentence_of <- function(answer) {
  text <- rawToChar(answer$content)
  problem <- tryCatch(fromJSON(text, simplifyVector = FALSE), error = function(error) NULL)
  if (!is.list(problem) || is.null(problem$title) || is.null(problem$detail)) {
    host <- sub("^https?://([^/]+).*", "\\1", answer$url)
    foreign <- ", but not from the service: a proxy may be in between. "
    return(paste0("HTTP ", answer$status_code, " from ", host, foreign, substr(gsub("\\s+", " ", text), 1, 200)))
  }
  errors <- vapply(problem$errors, function(error) {
    paste0("\n  ", error$parameter, " ", error$message, " (found: ", error$value, ")")
  }, "")
  paste0("HTTP ", answer$status_code, ": ", problem$title, ". ", problem$detail, paste(errors, collapse = ""))
}

rows_of <- function(page) {
  if (!is.null(page[["Totals"]])) return(page[["Totals"]])
  rows <- lapply(page$Organizations, function(organization) {
    records <- organization[[list_of(page)]]
    lapply(records, function(record) c(organization[c("OrganizationUUID", "OrganizationName")], record))
  })
  unlist(rows, recursive = FALSE)
}

# The list of records or places: TotalSitesCount counts the items of the lists Sites.
list_of <- function(page) {
  sub("^Total(.*)Count$", "\\1", grep("^Total", names(page), value = TRUE)[1])
}

cell <- function(value) {
  if (is.null(value)) return(NA_character_)
  if (is.list(value)) return(as.character(toJSON(value, auto_unbox = TRUE, null = "null", digits = NA)))
  if (is.numeric(value)) return(number_text(value))
  as.character(value)
}

# With all digits that are needed to read the same number again.
number_text <- function(value) {
  for (digits in 15:17) {
    text <- format(value, digits = digits, scientific = FALSE)
    if (as.numeric(text) == value) break
  }
  text
}

fail <- function(...) {
  message(...)
  quit(status = 1)
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 2) fail("Usage: WATER_KEY=... Rscript walk.R ADDRESS FILE")
main(arguments[1], arguments[2])
