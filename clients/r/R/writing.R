# Converts list columns to text, for formats and programs without lists.

#' Records and places without lists, and as files
#'
#' @description
#' A right can have several sites, and a site several variables, so some columns are lists. CSV, GeoPackage and many
#' programs have no lists. `flatten_lists()` turns each list into one text, such as "S1|S2", as in the service's CSV:
#' within an item, the separator and backslashes are preceded by a backslash. An empty list is `NA`. For a row per item,
#' use `tidyr::unnest()` instead.
#'
#' `write_records()` writes a frame without lists in the format of the file extension: `.csv` without geometries,
#' `.gpkg` and `.geojson` with sf.
#'
#' @param found The result of a function of this package.
#' @param separator The character between items.
#' @param file The file to write; an existing file is replaced.
#' @return The frame; the path of the file, invisibly.
#' @export
#' @examples
#' flatten_lists(data.frame(Owner = c("A", "B"), Sites = I(list(c("S1", "S2"), character()))))
#' @examplesIf Sys.getenv("WATER_DATA_URL") != ""
#' sites <- flatten_lists(read_sites(state = "UT"))
#' if (requireNamespace("sf")) sf::st_write(sites, tempfile(fileext = ".gpkg"))
#' rights <- flatten_lists(read_allocations(county = "Caddo", geometry = FALSE))
#' write.csv(rights, tempfile(fileext = ".csv"), row.names = FALSE)
flatten_lists <- function(found, separator = "|") {
  require_frame(found)
  require_text("separator", separator)
  if (nchar(separator) != 1 || separator == "\\") bad_argument("separator must be one character, not a backslash.")
  for (name in names(found)) {
    if (is.list(found[[name]]) && !inherits(found[[name]], "sfc")) {
      found[[name]] <- joined_items(unclass(found[[name]]), separator)
    }
  }
  found
}

#' @rdname flatten_lists
#' @export
write_records <- function(found, file) {
  require_frame(found)
  require_text("file", file)
  ending <- tolower(sub("^.*[.]", ".", basename(file)))
  if (!ending %in% c(".csv", ".gpkg", ".geojson")) {
    bad_argument(basename(file), " must end in .csv, .gpkg or .geojson, which determines the format.")
  }
  if (ending != ".csv" && !inherits(found, "sf")) {
    bad_argument(basename(file), " needs geometries, which this frame does not have: write .csv.")
  }
  flat <- flatten_lists(found)
  if (ending == ".csv") {
    write_csv_file(if (inherits(flat, "sf")) sf::st_drop_geometry(flat) else flat, file)
  } else {
    options <- if (ending == ".geojson") c("RFC7946=YES", "COORDINATE_PRECISION=15")
    sf::st_write(flat, file, delete_dsn = file.exists(file), quiet = TRUE, layer_options = options)
  }
  invisible(file)
}

# Writes CSV as the service does: RFC 4180, with an apostrophe before a cell that a spreadsheet would run.
write_csv_file <- function(flat, file) {
  texts <- vapply(flat, is.character, TRUE)
  guard <- function(text) {
    is_formula <- grepl("^[=+@\t\r\n\uff1d\uff0b\uff0d\uff20-]", text) &
      !grepl("^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?$", text)
    ifelse(is_formula | startsWith(text, "'"), paste0("'", text), text)
  }
  flat[texts] <- lapply(flat[texts], guard)
  moments <- vapply(flat, inherits, TRUE, "POSIXct")
  flat[moments] <- lapply(flat[moments], format, "%Y-%m-%dT%H:%M:%S")
  numbers <- vapply(flat, is.double, TRUE) & !moments & !vapply(flat, inherits, TRUE, "Date")
  flat[numbers] <- lapply(flat[numbers], plain_numbers)
  flags <- vapply(flat, is.logical, TRUE)
  flat[flags] <- lapply(flat[flags], function(flag) ifelse(flag, "true", "false"))
  readr::write_csv(flat, file, na = "", eol = "\r\n")
}

joined_items <- function(items, separator) {
  flat <- unlist(items, use.names = FALSE)
  texts <- if (is.numeric(flat)) plain_numbers(flat) else as.character(flat)
  special <- sprintf("([\\\\%s])", if (separator %in% c("]", "^", "-")) paste0("\\", separator) else separator)
  texts <- ifelse(is.na(texts), "", gsub(special, "\\\\\\1", texts, perl = TRUE))
  at <- factor(rep(seq_along(items), lengths(items)), levels = seq_along(items))
  made <- vapply(split(texts, at), paste, "", collapse = separator, USE.NAMES = FALSE)
  # An empty list and a list with one missing item look the same.
  made[!is.na(made) & made == ""] <- NA
  made
}

# The shortest decimal texts that parse back to exactly these numbers.
plain_numbers <- function(numbers) {
  texts <- rep(NA_character_, length(numbers))
  left <- which(!is.na(numbers))
  for (digits in 15:17) {
    texts[left] <- sprintf("%.*g", digits, numbers[left])
    left <- left[numbers_of(texts[left]) != numbers[left]]
    if (length(left) == 0) break
  }
  is_long <- !is.na(numbers) & abs(numbers) >= 1e15 & abs(numbers) < 1e21 & numbers == trunc(numbers)
  texts[is_long] <- sprintf("%.0f", numbers[is_long])
  texts
}

require_frame <- function(found) {
  if (!is.data.frame(found)) bad_argument("found must be a data frame of this package, not ", shown(found), ".")
}
