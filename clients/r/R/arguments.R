# Arguments of R become the parameters of an operation. A query is a character vector whose names may repeat.

# The names of the boundary, which the service takes as one parameter.
boundaries <- c("search_boundary", "search_geometry", "boundary")

# An unknown name is refused with the nearest one that there is.
query_of <- function(operation, arguments) {
  known <- parameters_of(operation)
  if (length(arguments) && (is.null(names(arguments)) || any(names(arguments) == ""))) {
    bad_argument("Every argument has a name here, such as state = \"UT\".")
  }
  query <- lapply(names(arguments), function(name) {
    given <- if (name %in% boundaries) intersect(boundaries, names(known))[1] else name
    parameter <- known[[given]]
    if (is.null(parameter)) bad_argument(unknown_name(name, names(known), operation))
    texts <- if (name %in% boundaries) boundary_text(arguments[[name]]) else texts_of(name, arguments[[name]])
    if (!parameter$repeats && length(texts) > 1) bad_argument(name, " takes one value, and not ", length(texts), ".")
    repeated(parameter$name, texts)
  })
  unlist(c(list(character()), query))
}

repeated <- function(name, values) stats::setNames(values, rep(name, length(values)))

# The arguments that a query string of the service stands for.
arguments_of <- function(query) {
  parts <- strsplit(strsplit(query, "&", fixed = TRUE)[[1]], "=", fixed = TRUE)
  values <- curl::curl_unescape(gsub("+", " ", vapply(parts, `[`, "", 2), fixed = TRUE))
  split(values, service_names(vapply(parts, `[`, "", 1), argument_names(), "this client"))
}

# Says which name may be meant; case and underscores do not count.
unknown_name <- function(name, known, where) {
  distances <- utils::adist(plain_name(name), plain_name(known))
  advice <- if (any(distances <= nchar(name) / 2)) sprintf("did you mean %s?", known[which.min(distances)])
  else paste0("there are ", toString(known), ".")
  sprintf("%s is no argument of %s; %s", name, where, advice)
}

plain_name <- function(name) tolower(gsub("_", "", name, fixed = TRUE))

# Names as the service has them, which may be written as arguments are (`priority_decade`).
service_names <- function(names, values, where) {
  found <- values[match(plain_name(names), plain_name(values))]
  if (anyNA(found)) bad_argument(unknown_name(names[is.na(found)][1], values, where))
  found
}

# WKT, GeoJSON or a boundary by name, from text, four numbers, GeoJSON as a list, or a geometry of sf.
boundary_text <- function(value) {
  if (inherits(value, c("sf", "sfc", "sfg"))) {
    geometry <- sf::st_union(sf::st_geometry(value))
    if (!is.na(sf::st_crs(geometry))) geometry <- sf::st_transform(geometry, 4326)
    return(sf::st_as_text(geometry, digits = 15))
  }
  if (is.character(value) && length(value) == 1) return(value)
  if (is.numeric(value) && length(value) == 4) return(paste0("bbox:", paste(texts_of("bbox", value), collapse = ",")))
  if (is.list(value)) return(as.character(jsonlite::toJSON(value, auto_unbox = TRUE, digits = NA)))
  bad_argument("A boundary is WKT, GeoJSON, a name such as county:UT/Cache, a geometry of sf, or four numbers.")
}

texts_of <- function(name, value) {
  if (length(value) == 0) bad_argument(name, " is empty: leave it out to ask for all, or give a value.")
  if (is.list(value)) return(unlist(lapply(value, function(item) texts_of(name, item))))
  if (!is.atomic(value) || anyNA(value)) bad_argument(name, " has something that is no text, number or date.")
  if (is.logical(value)) return(ifelse(value, "true", "false"))
  if (inherits(value, c("Date", "POSIXt"))) return(format(value, "%Y-%m-%d"))
  # The service reads plain decimal numbers.
  if (is.numeric(value)) return(vapply(value, format, "", digits = 15, scientific = FALSE))
  enc2utf8(as.character(value))
}
