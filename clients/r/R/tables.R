# The operations, parameters and columns of the service, from inst/tables.json, which is generated from the service.

tables <- NULL

# The parameters of an operation become arguments of its function, so that editors complete them and the help lists
# them. They come after `...`, which catches unknown names, so that these are refused with a suggestion.
.onLoad <- function(libname, pkgname) { # nolint: object_name_linter.
  namespace <- topenv()
  namespace$tables <- jsonlite::read_json(system.file("tables.json", package = pkgname))
  for (name in names(documented_operations)) {
    own <- formals(namespace[[name]])
    parameters <- names(described_parameters(documented_operations[[name]]))
    more <- setdiff(c(parameters, names(connection_arguments)), names(own))
    formals(namespace[[name]]) <- c(own, stats::setNames(vector("list", length(more)), more))
  }
}

# The operation for each value of `kind`; the first three have records.
operations <- c(
  site_amounts = "SiteVariableAmounts", aggregated_amounts = "AggregatedAmounts", allocations = "SiteAllocationAmounts",
  sites = "Sites", reporting_units = "ReportingUnits"
)

documented_operations <- c(stats::setNames(operations, paste0("read_", names(operations))), find_names = "Find")

argument_names <- function() unique(unlist(lapply(operations, function(operation) names(parameters_of(operation)))))

# The kind of an operation's records. Only SiteAllocationAmounts has a different name.
kind_of <- function(operation) if (operation == "SiteAllocationAmounts") "WaterAllocations" else operation

is_place <- function(kind) kind %in% c("Sites", "ReportingUnits")

operation_of <- function(kind) {
  require_one_of("kind", kind, names(operations)[1:3])
  operations[[kind]]
}

parameters_of <- function(operation) tables$operations[[operation]]

all_parameters <- function() do.call(c, lapply(unname(operations), parameters_of))

# The R function of an operation.
caller_of <- function(operation) {
  last <- sub("^.*/", "", operation)
  others <- c(
    Totals = "read_totals", Facets = "read_facets", Removed = "read_changes", Inventory = "read_terms",
    Downloads = "download_data", Find = "find_names"
  )
  if (last %in% names(others)) others[[last]] else paste0("read_", names(operations)[match(operation, operations)])
}

# The columns that identify a record or place within its organization.
identifiers_of <- function(kind) {
  places <- c(Sites = "SiteUUID", ReportingUnits = "ReportingUnitUUID")
  if (kind %in% names(places)) places[[kind]] else unlist(tables$keys[[kind]])
}

#' The version of the service that this package is tested with
#' @return A text such as "1.0.0".
#' @export
#' @examples
#' tested_with()
tested_with <- function() tables$serviceVersion

# Arguments of every function that are not parameters of the service.
connection_arguments <- c(
  url = "Address of the service. Default: the environment variable `WATER_DATA_URL`.",
  key = "Access key. Default: `WATER_DATA_KEY`, or the file `key` in the configuration folder.",
  patience = "Seconds to wait at most after a 429, a 503 or a broken connection. Default: 120.",
  progress = "Whether to show progress. Default (`NULL`): only on terminals."
)

boundary_help <- paste(
  "A geometry of sf, WKT, GeoJSON, the path of a file with one, four numbers (west, south, east, north), or a name",
  "such as county:UT/Cache, huc8:14010001, state:UT, site:UUID or reportingunit:UUID."
)

# The parameters of operations with their descriptions; `boundary` accepts any boundary, and lists may be longer here.
described_parameters <- function(operations) {
  parameters <- do.call(c, lapply(unname(operations), parameters_of))
  texts <- vapply(parameters, function(parameter) parameter$description, "")
  is_boundary <- names(texts) %in% boundaries
  texts <- c(if (any(is_boundary)) c(boundary = boundary_help), texts[!is_boundary])
  texts <- texts[!duplicated(names(texts))]
  texts <- sub("May be given up to 100 times, meaning any of the values.", "One value or several.", texts, fixed = TRUE)
  sub("One value or a list of up to 100", "One value or several", texts, fixed = TRUE)
}

# The roxygen2 tags for the arguments that .onLoad() adds.
document_arguments <- function(operations) {
  described <- c(described_parameters(operations), connection_arguments)
  c("@param ... Not used: an unknown argument is refused, with the nearest name.",
    paste("@param", names(described), gsub("([%@{}])", "\\\\\\1", described)))
}

# The valid values of `by` and `facets`.
document_names <- function() {
  listed <- function(title, names_of) {
    c(paste0("@section ", title, ":"), unlist(lapply(names(operations)[1:3], function(kind) {
      c(sprintf("For %s: %s.", kind, toString(snake_case(names_of(operations[[kind]])))), "")
    })))
  }
  c(
    listed("Values of `by`, one or several", function(operation) names(tables$totals[[operation]]$groups)),
    listed("Values of `facets`, one or several", function(operation) {
      unlist(parameters_of(paste0(operation, "/Facets"))$facet$values)
    })
  )
}
