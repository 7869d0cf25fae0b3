# Converts R arguments to the query parameters of an operation. A query is a character vector with repeatable names.

# The R names of the boundary parameters, which are given as one argument.
boundaries <- c("search_boundary", "search_geometry", "boundary")

# The file name extensions of a boundary.
file_endings <- "[.](geojson|json|gpkg|shp|kml|fgb|zip|parquet)$"

# Builds the query. Refuses an unknown name and suggests the nearest known one.
query_of <- function(operation, arguments, caller) {
  known <- parameters_of(operation)
  if (length(arguments) && (is.null(names(arguments)) || any(names(arguments) == ""))) {
    bad_argument("All arguments must be named, such as state = \"UT\".")
  }
  query <- lapply(names(arguments), function(name) {
    given <- if (name %in% boundaries) intersect(boundaries, names(known))[1] else name
    parameter <- known[[given]]
    if (is.null(parameter)) {
      bad_argument(unknown_name(name, names(known), sprintf("\"%s\" is not an argument of %s", name, caller)))
    }
    texts <- if (name %in% boundaries) boundary_text(arguments[[name]]) else texts_of(name, arguments[[name]])
    if (!parameter$repeats && length(texts) > 1) bad_argument(name, " takes one value, and not ", length(texts), ".")
    # A repeated value counts once.
    repeated(parameter$name, unique(texts))
  })
  unlist(c(list(character()), query))
}

repeated <- function(name, values) stats::setNames(values, rep(name, length(values)))

# Converts a query string of the service to arguments.
arguments_of <- function(query) {
  parts <- strsplit(strsplit(query, "&", fixed = TRUE)[[1]], "=", fixed = TRUE)
  values <- curl::curl_unescape(gsub("+", " ", vapply(parts, `[`, "", 2), fixed = TRUE))
  known <- argument_names()
  names <- known[match(plain_name(vapply(parts, `[`, "", 1)), plain_name(known))]
  if (anyNA(names)) other_version("argument that this client knows")
  split(values, names)
}

# The error for an unknown name, with a suggestion; case and underscores are ignored.
unknown_name <- function(name, known, refusal) {
  wanted <- plain_name(name)
  names <- plain_name(known)
  distances <- utils::adist(wanted, names)
  holding <- if (nchar(wanted) > 3) grep(wanted, names, fixed = TRUE) else integer()
  near <- if (wanted %in% names) known[match(wanted, names)]
  else if (length(holding)) known[holding[which.min(nchar(names[holding]))]]
  else if (any(distances <= nchar(name) / 3)) known[which.min(distances)]
  advice <- if (is.null(near)) paste0("there are ", toString(known), ".") else sprintf("did you mean %s?", near)
  paste0(refusal, "; ", advice)
}

plain_name <- function(name) tolower(gsub("_", "", name, fixed = TRUE))

# Converts names of the service to R names.
snake_case <- function(names) {
  spaced <- gsub("([a-z0-9])([A-Z])", "\\1_\\2", names)
  own <- argument_names()
  at <- match(plain_name(names), plain_name(own))
  ifelse(is.na(at), tolower(gsub("([A-Z]+)([A-Z][a-z])", "\\1_\\2", spaced)), own[at])
}

# Returns the service's spelling of names that may be given in the form of arguments (`priority_decade`). `refusal`
# returns the error message for an unknown name.
service_names <- function(names, values, refusal, known = snake_case(values)) {
  found <- values[match(plain_name(names), plain_name(values))]
  if (anyNA(found)) {
    wrong <- names[is.na(found)][1]
    bad_argument(unknown_name(wrong, known, sprintf(refusal, wrong)))
  }
  found
}

# Refuses a value that is not one of the allowed words.
require_one_of <- function(name, value, known) {
  if (is.character(value) && length(value) == 1 && value %in% known) return(invisible())
  words <- sprintf("\"%s\"", known)
  said <- if (is.character(value) && length(value) == 1) sprintf("\"%s\"", value) else shown(value)
  listed <- paste(toString(utils::head(words, -1)), "or", utils::tail(words, 1))
  bad_argument(name, " must be ", listed, ", not ", said, ".")
}

# Converts a boundary to the format that the service accepts. Accepts text (WKT, GeoJSON or a named boundary), the path
# of a file, four numbers, GeoJSON as a list, or a geometry of sf. A feature, or a collection with one feature, is
# replaced by its geometry.
boundary_text <- function(value) {
  if (inherits(value, c("sf", "sfc", "sfg", "bbox"))) return(geometry_text(value))
  if (is_text(value)) return(boundary_from_text(value))
  if (is.numeric(value) && length(value) == 4) {
    return(paste0("bbox:", paste(texts_of("boundary", value), collapse = ",")))
  }
  if (is.list(value) && is.character(value$type)) {
    return(geojson_text(as.character(jsonlite::toJSON(value, auto_unbox = TRUE, digits = NA, null = "null"))))
  }
  bad_argument("boundary must be WKT, GeoJSON, a name such as county:UT/Cache, a file, an sf geometry or four numbers.")
}

boundary_from_text <- function(text) {
  if (grepl("^\\s*\\{", text)) return(geojson_text(text))
  is_file <- nchar(text) < 1000 && grepl(file_endings, text, ignore.case = TRUE)
  if (is_file) boundary_from_file(text) else text
}

geometry_text <- function(value) {
  if (inherits(value, "bbox")) value <- sf::st_as_sfc(value)
  geometry <- sf::st_union(sf::st_geometry(value))
  if (!is.na(sf::st_crs(geometry))) geometry <- sf::st_transform(geometry, 4326)
  sf::st_as_text(geometry, digits = 15)
}

# Returns the GeoJSON text unchanged, so that numbers keep their digits; of a collection, its only feature.
geojson_text <- function(text) {
  value <- tryCatch(jsonlite::parse_json(text, digits = NA), error = function(cause) {
    bad_argument("boundary looks like GeoJSON but is invalid: ", strsplit(conditionMessage(cause), "\n")[[1]][1], ".")
  })
  if (!identical(value$type, "FeatureCollection")) return(text)
  if (length(value$features) != 1) {
    bad_argument("boundary is a FeatureCollection of ", length(value$features), " features: use one of them.")
  }
  as.character(jsonlite::toJSON(value$features[[1]], auto_unbox = TRUE, digits = NA, null = "null"))
}

boundary_from_file <- function(file) {
  if (!file.exists(file)) bad_argument("boundary: there is no file ", file, ".")
  if (grepl("json$", file, ignore.case = TRUE)) {
    text <- paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
    return(geojson_text(sub("^\ufeff", "", enc2utf8(text))))
  }
  if (!requireNamespace("sf", quietly = TRUE)) bad_argument("boundary: reading ", file, " needs the package sf.")
  geometry_text(tryCatch(sf::read_sf(file), error = function(cause) {
    bad_argument("boundary: ", file, " cannot be read: ", conditionMessage(cause), ".")
  }))
}

texts_of <- function(name, value) {
  if (length(value) == 0) bad_argument(name, " is empty: leave it out for all records, or set a value.")
  if (is.list(value) && is.null(names(value))) {
    return(unlist(lapply(value, function(item) texts_of(name, item))))
  }
  if (!is_usable(value)) {
    bad_argument(name, " has a value that is not a text, number or date: ", shown(value), ".")
  }
  if (is.logical(value)) return(ifelse(value, "true", "false"))
  if (inherits(value, c("Date", "POSIXt"))) return(format(value, "%Y-%m-%d"))
  # The service accepts only plain decimal numbers.
  if (is.numeric(value)) return(vapply(value, format, "", digits = 15, scientific = FALSE))
  enc2utf8(as.character(value))
}

# Whether a value can be sent: text, finite numbers, dates and logical values.
is_usable <- function(value) {
  is_plain <- is.character(value) || is.numeric(value) || is.logical(value) || is.factor(value)
  is_dated <- inherits(value, c("Date", "POSIXt"))
  (is_plain || is_dated) && !anyNA(value) && !(is.numeric(value) && any(is.infinite(value)))
}

is_text <- function(value) is.character(value) && length(value) == 1 && !is.na(value)

# Checks of the client's own arguments, which are not parameters of the service.

require_text <- function(name, value) {
  if (!is_text(value) || value == "") {
    bad_argument(name, " is one text, and not ", shown(value), ".")
  }
}

require_texts <- function(name, value) {
  if (!is.character(value) || anyNA(value) || any(value == "")) {
    bad_argument(name, " is text, and not ", shown(value), ".")
  }
}

require_switch <- function(name, value) {
  if (!isTRUE(value) && !isFALSE(value)) bad_argument(name, " is TRUE or FALSE, and not ", shown(value), ".")
}

require_seconds <- function(name, value) {
  if (!is.numeric(value) || length(value) != 1 || !isTRUE(value >= 0)) {
    bad_argument(name, " must be a number of seconds, 0 or more, not ", shown(value), ".")
  }
}

require_limit <- function(limit) {
  is_number <- is.numeric(limit) && length(limit) == 1 && isTRUE(limit >= 1)
  if (!is_number || (is.finite(limit) && limit %% 1 != 0)) {
    bad_argument("limit must be a whole number of 1 or more, not ", shown(limit), "; leave it out for all records.")
  }
}

shown <- function(value) {
  text <- paste(deparse(value, width.cutoff = 60, nlines = 2), collapse = " ")
  if (nchar(text) > 60) paste0(substr(text, 1, 60), "...") else text
}
