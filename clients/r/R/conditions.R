# Every failure is a condition of class water_data_error, with the same members whatever happened.

#' Errors of this package
#'
#' Every error is a condition of class `water_data_error`. It has `status` (of HTTP, or `NULL` where there was no
#' answer), `problem` (what the service said, a list), `retry_after` (seconds that it asked to wait, or `NULL`) and
#' `retryable` (whether asking again may help). After an interruption `partial` has the records that came, and
#' `resume()` goes on from there and returns what the function would have returned.
#'
#' Its other class says what happened: `water_bad_argument`, `water_key_refused`, `water_not_offered`,
#' `water_version_gone`, `water_too_many_requests`, `water_service_busy`, `water_connection_failed` or
#' `water_interrupted`.
#'
#' @name water_data_error
#' @examples
#' try(read_sites(sate = "UT"))
NULL

water_error <- function(class, message, status = NULL, problem = list(), retry_after = NULL) {
  retryable <- class %in% c("water_too_many_requests", "water_service_busy", "water_connection_failed")
  structure(
    class = c(class, "water_data_error", "error", "condition"),
    list(
      message = message, call = NULL, status = status, problem = problem, retry_after = retry_after,
      # 500 is a fault of the service, which the same request meets again.
      retryable = retryable && !identical(status, 500L), partial = NULL,
      resume = function() bad_argument("There is nothing to go on with: call the function again.")
    )
  )
}

interruption <- function() water_error("water_interrupted", "Interrupted: resume() of this error goes on.")

fail <- function(class, ...) stop(water_error(class, paste0(...)))

bad_argument <- function(...) fail("water_bad_argument", ...)

# The error that stands for an answer with this status, its sentences those of the service.
answer_error <- function(status, problem, retry_after) {
  if (is.null(problem$title)) problem$title <- "no reason was given"
  lines <- c(
    trimws(sprintf("HTTP %d: %s. %s", status, problem$title, paste0(problem$detail, ""))),
    vapply(problem$errors, function(one) sprintf("  %s %s (found: %s)", one$parameter, one$message, one$value), "")
  )
  class <- switch(as.character(status),
    "400" = "water_bad_argument", "401" = , "403" = "water_key_refused", "404" = "water_not_offered",
    "410" = "water_version_gone", "429" = "water_too_many_requests",
    if (status >= 500) "water_service_busy" else "water_refused"
  )
  seconds <- suppressWarnings(as.numeric(retry_after))
  water_error(class, paste(lines, collapse = "\n"), status, problem, if (isTRUE(seconds >= 0)) seconds)
}

other_version <- function(member) {
  tested <- paste("this client is tested with version", tested_with())
  fail("water_refused", "An answer has no ", member, ": the service is of another version; ", tested, ".")
}
