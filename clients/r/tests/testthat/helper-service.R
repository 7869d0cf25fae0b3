# Starts the real service from the built project, and a proxy in front of it that produces faults.

project <- Sys.getenv("WATER_DATA_PROJECT", normalizePath("../../../..", mustWork = FALSE))
node <- file.path(project, "node_modules/node/bin/node")
bundle <- file.path(project, "dist/bundle")
samples <- file.path(project, "data-loaders/samples")

skip_without_project <- function() {
  skip_if_not(file.exists(file.path(bundle, "local-host.js")), "The service's project is not built beside these tests")
}

# Starts a program that prints its address; the program ends when `frame` ends.
start_node <- function(arguments, pattern, variables = character(), frame = parent.frame()) {
  process <- processx::process$new(
    node, arguments,
    stdout = "|", wd = project, env = c("current", variables), cleanup = TRUE
  )
  withr::defer(process$kill(), envir = frame)
  line <- character()
  while (length(line) == 0) {
    if (!process$is_alive()) stop("The program ended before it said its address.")
    process$poll_io(10000)
    line <- grep(pattern, process$read_output_lines(), value = TRUE)
  }
  line[1]
}

# `npm start` with a temporary data folder; without samples it is empty until a test loads data.
start_service <- function(with_samples, frame = parent.frame()) {
  skip_without_project()
  folder <- withr::local_tempdir(.local_envir = frame)
  variables <- c(
    WATER_DATA_DIR = folder, LOAD_SAMPLES = tolower(with_samples), HOLD_SUBMISSIONS = "false", PORT = "0", WORKERS = "1"
  )
  line <- start_node(file.path(bundle, "local-host.js"), "/explore#key=", variables, frame)
  parts <- regmatches(line, regexec("(http://[^/]+)/explore#key=(\\S+)", line))[[1]]
  run <- function(program, ...) {
    processx::run(node, c(file.path(bundle, program), ...), wd = project, env = c("current", variables))
  }
  list(
    url = parts[2], key = parts[3], variables = variables,
    load = function(folder) run("load.js", folder), make_files = function() run("releases.js", "files")
  )
}

# Keeps the user's settings and cache away from the tests, and the tests' files away from the user.
local_surroundings <- function(service, url = service$url, frame = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = frame)
  withr::local_envvar(
    WATER_DATA_URL = url, WATER_DATA_KEY = service$key, WATER_DATA_CACHE = file.path(folder, "cache"),
    XDG_CONFIG_HOME = file.path(folder, "configuration"),
    .local_envir = frame
  )
  folder
}

# Smaller pages and limits, so that the samples exceed them.
local_sizes <- function(..., frame = parent.frame()) {
  namespace <- asNamespace("waterdataquery")
  former <- namespace$sizes
  change <- function(value) {
    unlockBinding("sizes", namespace)
    assign("sizes", value, envir = namespace)
    lockBinding("sizes", namespace)
  }
  change(utils::modifyList(former, list(...)))
  withr::defer(change(former), envir = frame)
}

start_proxy <- function(service, frame = parent.frame()) {
  url <- start_node(c(normalizePath("faults.mjs"), service$url), "^http", frame = frame)
  list(
    url = url,
    # Each rule is a list, such as list(match = "StartIndex", times = 3, cutAfter = 900).
    fault = function(...) {
      handle <- curl::new_handle(postfields = as.character(jsonlite::toJSON(list(...), auto_unbox = TRUE)))
      invisible(curl::curl_fetch_memory(paste0(url, "/faults"), handle))
    },
    seen = function() {
      jsonlite::fromJSON(rawToChar(curl::curl_fetch_memory(paste0(url, "/seen"))$content))
    }
  )
}

expect_same_table <- function(found, wanted) {
  attr(found, "metadata") <- attr(wanted, "metadata") <- NULL
  expect_equal(found, wanted, tolerance = 0)
}

readers <- list(
  SiteVariableAmounts = read_site_amounts, AggregatedAmounts = read_aggregated_amounts,
  SiteAllocationAmounts = read_allocations, Sites = read_sites, ReportingUnits = read_reporting_units
)
