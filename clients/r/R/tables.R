# What the service offers, read from inst/tables.json, which the repository generates from the service itself.

tables <- NULL

# Functions of a data set have the parameters of its operation as arguments, so that editors complete them and the
# help lists them. They stand behind `...`, which takes names that do not exist, to refuse them with the nearest one.
.onLoad <- function(libname, pkgname) { # nolint: object_name_linter.
  namespace <- topenv()
  namespace$tables <- jsonlite::read_json(system.file("tables.json", package = pkgname))
  for (name in names(documented_operations)) {
    own <- formals(namespace[[name]])
    more <- setdiff(c(names(parameters_of(documented_operations[[name]])), names(connection_arguments)), names(own))
    formals(namespace[[name]]) <- c(own, stats::setNames(vector("list", length(more)), more))
  }
}

# The operation of each word that functions take; the first three have records.
operations <- c(
  site_amounts = "SiteVariableAmounts", aggregated_amounts = "AggregatedAmounts", allocations = "SiteAllocationAmounts",
  sites = "Sites", reporting_units = "ReportingUnits"
)

documented_operations <- c(stats::setNames(operations, paste0("read_", names(operations))), find_names = "Find")

argument_names <- function() unique(unlist(lapply(operations, function(operation) names(parameters_of(operation)))))

# The kind of records that an operation has, where it has another name.
kind_of <- function(operation) if (operation == "SiteAllocationAmounts") "WaterAllocations" else operation

is_place <- function(kind) kind %in% c("Sites", "ReportingUnits")

operation_of <- function(kind) {
  if (!is.character(kind) || length(kind) != 1 || !kind %in% names(operations)[1:3]) {
    bad_argument(format(kind), " is no kind of records: there are site_amounts, aggregated_amounts and allocations.")
  }
  operations[[kind]]
}

parameters_of <- function(operation) tables$operations[[operation]]

#' The version of the service that this package is tested with
#' @return A text such as "1.0.0".
#' @export
#' @examples
#' tested_with()
tested_with <- function() tables$serviceVersion

# What every function takes beside the parameters of the service.
connection_arguments <- c(
  url = "Address of the service; else the environment variable `WATER_DATA_URL`.",
  key = "Access key; else `WATER_DATA_KEY`, or the file `key` in the configuration folder.",
  patience = "Most seconds to wait after 429, 503 and cuts; 120 when not given.",
  progress = "`TRUE` or `FALSE` shows or hides the line of progress; `NULL` shows it on terminals."
)

# Tags of roxygen2 for the arguments that .onLoad() adds.
document_arguments <- function(operations) {
  parameters <- do.call(c, lapply(unname(operations), parameters_of))
  described <- c(vapply(parameters, function(parameter) parameter$description, ""), connection_arguments)
  described <- described[!duplicated(names(described))]
  c("@param ... Nothing: a name that is no argument is refused, with the nearest one.",
    paste("@param", names(described), gsub("([%@{}])", "\\\\\\1", described)))
}
