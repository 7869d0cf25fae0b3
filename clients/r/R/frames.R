# Answers become tibbles with the columns and types that tables.json declares.

columns_of <- function(kind) {
  columns <- tables$columns[[kind]]
  stats::setNames(columns, vapply(columns, function(column) column$name, ""))
}

# The cells of records in the CSV form, all as texts; from a file or from a text. Pages are put together as texts.
read_cells <- function(kind, source) {
  cells <- readr::read_csv(
    source,
    col_types = readr::cols(.default = "c"), na = "", trim_ws = FALSE, progress = FALSE, lazy = FALSE, num_threads = 1
  )
  lacks <- setdiff(names(columns_of(kind)), names(cells))
  if (length(lacks)) other_version(paste("column", lacks[1]))
  cells
}

from_cells <- function(kind, cells) {
  columns <- columns_of(kind)
  # An apostrophe stands before what a spreadsheet would run.
  plain <- lapply(cells, function(texts) if (any(startsWith(texts, "'"), na.rm = TRUE)) sub("^'", "", texts) else texts)
  as_frame(lapply(columns, function(column) {
    texts <- plain[[column$name]]
    if (!column$list) return(typed(column$type, texts))
    # One unknown item and no item look the same; the identifiers tell them apart.
    others <- if (!is.null(column$identifier) && column$identifier != column$name) plain[[column$identifier]]
    lists_of(column$type, texts, if (is.null(others)) FALSE else !is.na(others))
  }))
}

# Features of GeoJSON, whose properties have the names of the columns; in lists they have no null.
from_features <- function(kind, features) {
  as_frame(lapply(columns_of(kind), function(column) {
    values <- lapply(features, function(feature) feature$properties[[column$name]])
    if (!column$list) return(typed(column$type, scalars(values)))
    typed_lists(column$type, lapply(values, function(items) {
      items <- scalars(items)
      replace(items, items %in% "", NA)
    }))
  }))
}

# Rows of JSON become the columns that are named, with these types.
from_rows <- function(rows, types) {
  as_frame(lapply(stats::setNames(names(types), names(types)), function(name) {
    typed(types[[name]], scalars(lapply(rows, function(row) row[[name]])))
  }))
}

as_frame <- function(columns) tibble::new_tibble(columns, nrow = length(columns[[1]]))

scalars <- function(values) {
  values <- as.list(values)
  values[lengths(values) == 0] <- NA
  unlist(values)
}

# Values with the type that is declared; what is unknown is NA.
typed <- function(type, values) {
  switch(type,
    number = if (is.numeric(values)) as.numeric(values) else once_for_each(values, numbers_of),
    integer = as.integer(values),
    boolean = if (is.logical(values)) as.logical(values) else values == "true",
    date = once_for_each(values, function(texts) as.Date(substr(texts, 1, 10))),
    timestamp = once_for_each(values, function(texts) {
      as.POSIXct(sub("^(.{10})$", "\\1T00:00:00", texts), tz = "UTC", format = "%Y-%m-%dT%H:%M:%OS")
    }),
    as.character(values)
  )
}

# Coordinates are text as submitted: one that is no number is unknown here. as.numeric() errs in the last bit of some
# numbers, which a reader of JSON has right.
numbers_of <- function(texts) {
  numbers <- suppressWarnings(as.numeric(texts))
  exact <- grepl("^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?$", texts)
  numbers[exact] <- as.numeric(jsonlite::parse_json(paste0("[", toString(texts[exact]), "]"), simplifyVector = TRUE))
  numbers
}

once_for_each <- function(values, convert) {
  values <- as.character(values)
  different <- unique(values)
  convert(different)[match(values, different)]
}

# `unknown` says where no text stands for one unknown item, and not for an empty list.
lists_of <- function(type, texts, unknown) {
  cells <- paste0(ifelse(is.na(texts), ifelse(unknown, "?", "-"), "="), texts)
  different <- unique(cells)
  items <- split_cells(substring(different, 2))
  items[startsWith(different, "-")] <- list(character())
  items[startsWith(different, "?")] <- NA_character_
  typed_lists(type, items)[match(cells, different)]
}

typed_lists <- function(type, lists) {
  flat <- typed(type, unlist(c(list(character()), lists)))
  at <- factor(rep(seq_along(lists), lengths(lists)), levels = seq_along(lists))
  unname(split(flat, at))
}

# The items of lists; a backslash stands before a bar or a backslash that an item holds.
split_cells <- function(cells) {
  # strsplit() takes a bar at the end for the end of an item.
  ended <- paste0(cells, "|")
  escaped <- grepl("\\", ended, fixed = TRUE)
  items <- strsplit(ended, "|", fixed = TRUE)
  items[escaped] <- lapply(strsplit(ended[escaped], "(?:\\\\.|[^|\\\\])*\\K\\|", perl = TRUE), function(parts) {
    gsub("\\\\(.)", "\\1", parts)
  })
  lapply(items, function(own) replace(own, own == "", NA))
}
