# Checks and sends a submission: a folder of CSV files, a ZIP file, or a workbook.

# A check takes up to 200 seconds. Sending takes as long as the upload needs.
answer_seconds <- 300

package_types <- c(
  zip = "application/zip",
  xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xlsm = "application/vnd.ms-excel.sheet.macroenabled.12"
)

#' Check and send data
#'
#' @description
#' `check_submission()` checks a submission without sending it, and returns the report of a dry run: `verdict` is
#' "would-publish", "would-be-held", "unchanged" or "refused", `sentence` says why, and `findings` lists problems with
#' file, line and column. Nothing is stored.
#'
#' `submit()` sends a submission, with a key that may submit, and returns its `Id`, `Status` and `Links`. It is loaded
#' within minutes; `submission()` returns the current status.
#'
#' @param folder A folder of CSV files, a ZIP file, or a workbook (.xlsx) with a sheet for each file.
#' @param id The `Id` of a submission.
#' @param url The address of the service. Default: the environment variable `WATER_DATA_URL`.
#' @param key The access key. Default: the environment variable `WATER_DATA_KEY`.
#' @return The answer of the service as a list.
#' @seealso [water_data_error] for errors.
#' @export
#' @examplesIf Sys.getenv("WATER_DATA_URL") != "" && dir.exists("2026-q3")
#' check_submission("2026-q3")$sentence
#' sent <- submit("2026-q3")
#' submission(sent$Id)$Status
check_submission <- function(folder, url = NULL, key = NULL) {
  send_submission("/v1/Submissions/Checks", folder, connect(url, key))
}

#' @rdname check_submission
#' @export
submit <- function(folder, url = NULL, key = NULL) {
  send_submission("/v1/Submissions", folder, connect(url, key))
}

#' @rdname check_submission
#' @export
submission <- function(id, url = NULL, key = NULL) {
  require_text("id", id)
  if (id == "" || grepl("/", id, fixed = TRUE)) bad_argument("id is the Id of a submission.")
  exchange(connect(url, key), paste0("/v1/Submissions/", id), curl::new_handle())
}

send_submission <- function(path, folder, connection) {
  files <- submission_files(folder)
  type <- package_types[tolower(tools::file_ext(files[1]))]
  handle <- curl::new_handle()
  if (length(files) == 1 && !is.na(type)) {
    content <- file(files, "rb", raw = TRUE)
    on.exit(close(content))
    # Streams the file, so that it is never in memory as a whole.
    read <- function(size, ...) readBin(content, raw(), size)
    curl::handle_setopt(handle, post = TRUE, postfieldsize_large = file.size(files), readfunction = read)
    return(exchange(connection, path, handle, `Content-Type` = unname(type)))
  }
  parts <- lapply(files, function(file) curl::form_file(file, "text/csv"))
  do.call(curl::handle_setform, c(list(handle), stats::setNames(parts, rep("files", length(parts)))))
  exchange(connection, path, handle)
}

submission_files <- function(folder) {
  require_text("folder", folder)
  if (dir.exists(folder)) {
    files <- list.files(folder, full.names = TRUE)
    files <- files[!dir.exists(files)]
    if (length(files) == 0) bad_argument("The folder ", folder, " has no files.")
    return(files)
  }
  if (!file.exists(folder)) bad_argument("There is no folder ", folder, ".")
  if (!tolower(tools::file_ext(folder)) %in% names(package_types)) {
    bad_argument(folder, " is not a folder, a ZIP file or a workbook (.xlsx).")
  }
  folder
}

# One request of an operation that answers JSON without a data version.
exchange <- function(connection, path, handle, ...) {
  address <- paste0(connection$url, path)
  curl::handle_setheaders(handle, `X-API-Key` = connection$key, Accept = "application/json", ...)
  curl::handle_setopt(
    handle,
    useragent = "waterdataquery-r", followlocation = FALSE, connecttimeout = bounds$connect_seconds,
    low_speed_limit = 1, low_speed_time = answer_seconds
  )
  came <- tryCatch(
    curl::curl_fetch_memory(address, handle),
    error = function(cause) stop(failure_of(address, conditionMessage(cause), TRUE))
  )
  header <- curl::parse_headers_list(rawToChar(came$headers))
  body <- rawToChar(came$content)
  Encoding(body) <- "UTF-8"
  if (came$status_code >= 400) stop(answer_error(address, came$status_code, header, body))
  if (!grepl("^application/json", c(header[["content-type"]], "")[1])) {
    stop(foreign_error(address, came$status_code, header, body))
  }
  jsonlite::fromJSON(body, simplifyVector = FALSE)
}
