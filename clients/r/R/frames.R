# Converts answers to tibbles with the columns and types that tables.json declares.

columns_of <- function(kind) {
  columns <- tables$columns[[kind]]
  stats::setNames(columns, vapply(columns, function(column) column$name, ""))
}

# Columns of single values with these types.
columns_with <- function(names, types = "text") {
  Map(function(name, type) list(name = name, type = type, list = FALSE), names, types)
}

# Records in CSV, from a file.
from_csv <- function(columns, file) {
  cells <- readr::read_csv(
    file,
    col_types = readr::cols(.default = "c"), na = "", trim_ws = FALSE, progress = FALSE, lazy = FALSE, num_threads = 1
  )
  lacks <- setdiff(names(columns), names(cells))
  if (length(lacks)) other_version(paste("column", lacks[1]))
  # The service puts an apostrophe before a cell that a spreadsheet would run.
  plain <- lapply(cells, function(texts) if (any(startsWith(texts, "'"), na.rm = TRUE)) sub("^'", "", texts) else texts)
  as_frame(lapply(columns, function(column) {
    texts <- plain[[column$name]]
    if (!column$list) return(typed(column$type, texts))
    # A list with one missing item looks like an empty list; the column of identifiers tells them apart.
    identifiers <- plain[[c(column$identifier, column$name)[1]]]
    texts[is.na(texts) & !is.na(identifiers)] <- ""
    once_for_each(texts, function(different) {
      # In an item, a backslash precedes each bar and backslash. The bar added at the end keeps an empty last item.
      items <- strsplit(paste0(different, "|"), "(?:\\\\.|[^|\\\\]++)*+\\K\\|", perl = TRUE)
      items[is.na(different)] <- list(NULL)
      typed_lists(column$type, gsub("\\\\(.)", "\\1", unlist(items)), lengths(items))
    })
  }))
}

# A frame with these columns, filled from the members of the rows with the same names.
from_rows <- function(columns, rows) {
  if (is.null(rows)) other_version("list of what was asked for")
  as_frame(lapply(columns, function(column) {
    values <- lapply(rows, `[[`, column$name)
    if (!column$list) return(typed(column$type, scalars(values)))
    typed_lists(column$type, scalars(unlist(values, recursive = FALSE)), lengths(values))
  }))
}

as_frame <- function(columns) tibble::new_tibble(columns, nrow = length(columns[[1]]))

scalars <- function(values) {
  values <- as.list(values)
  values[lengths(values) == 0] <- NA
  unlist(values)
}

# Converts values to the declared type; an unknown value is NA.
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

# Coordinates are text as submitted; text that is not a number becomes NA. The last bit of as.numeric() is wrong for
# some numbers, so a JSON parser reads them.
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

# Splits items into lists with these lengths. In lists of text or JSON, an empty item means an unknown value.
typed_lists <- function(type, items, lengths) {
  at <- factor(rep(seq_along(lengths), lengths), levels = seq_along(lengths))
  unname(split(typed(type, replace(items, items %in% "", NA)), at))
}
