# Every failure is a condition of class water_data_error. All of them have the same members.

#' Errors of this package
#'
#' Every error is a condition of class `water_data_error`. It has `status` (of HTTP, or `NULL` without an answer),
#' `problem` (the error answer of the service, a list), `retry_after` (the seconds to wait, or `NULL`) and `retryable`
#' (whether another attempt may help). After an interruption, `partial` has the records received so far. `resume()`
#' continues from there and returns what the function would have returned.
#'
#' Its other class is the kind of the failure: `water_bad_argument`, `water_key_refused`, `water_not_offered`,
#' `water_version_gone`, `water_too_many_requests`, `water_service_busy`, `water_connection_failed`,
#' `water_not_from_service` (another server answered, such as a gateway or a proxy's login page) or `water_interrupted`.
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
      # A status 500 is a fault of the service; the same request would fail again.
      retryable = retryable && !identical(status, 500L), partial = NULL,
      resume = function() bad_argument("There is nothing to resume: call the function again.")
    )
  )
}

interruption <- function() water_error("water_interrupted", "Interrupted: call resume() of this error to continue.")

fail <- function(class, ...) stop(water_error(class, paste0(...)))

bad_argument <- function(...) fail("water_bad_argument", ...)

other_version <- function(member) {
  tested <- paste("this client is tested with version", tested_with())
  fail("water_refused", "An answer has no ", member, ": the service has a different version; ", tested, ".")
}
