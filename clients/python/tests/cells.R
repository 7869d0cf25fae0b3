# Writes the result of a function as JSON without loss of precision: Rscript cells.R FUNCTION FILE. test_r.py compares
# it with the data frame in Python.

arguments <- commandArgs(trailingOnly = TRUE)
found <- getExportedValue("waterdataquery", arguments[1])(geometry = FALSE)

plain <- function(values) {
  if (inherits(values, c("Date", "POSIXct"))) return(format(values, "%Y-%m-%dT%H:%M:%S"))
  # Hexadecimal notation is exact.
  if (is.double(values)) return(ifelse(is.na(values), NA, sprintf("%a", values)))
  values
}

columns <- lapply(found, function(column) {
  type <- if (is.list(column)) paste("list of", class(unlist(column))[1]) else class(column)[1]
  list(type = type, cells = if (is.list(column)) lapply(column, function(items) I(plain(items))) else plain(column))
})
jsonlite::write_json(columns, arguments[2], auto_unbox = TRUE, na = "null", null = "null")
