# Error messages for failures on both sides: no server, an untrusted certificate, a proxy's page, a gateway.

service <- start_service(TRUE)
service$make_files()
proxy <- start_proxy(service)
folder <- local_surroundings(service, proxy$url)

page <- "<!DOCTYPE html><title>Sign in</title>"
html <- list("Content-Type" = "text/html")
json <- list("Content-Type" = "application/json")

# A call of each function that sends requests.
calls <- list(
  read_sites = function(...) read_sites(state = "UT", ...),
  read_allocations = function(...) read_allocations(state = "CO", ...),
  read_totals = function(...) read_totals("allocations", ...),
  read_facets = function(...) read_facets("allocations", "county", ...),
  read_terms = function(...) read_terms(...),
  find_names = function(...) find_names("bear", ...),
  read_query = function(...) read_query("sites", "State = 'UT'", ...),
  download_data = function(...) download_data("allocations", "X", ...)
)

replies <- list(
  list(200, html, page, "water_not_from_service", c("a web page", "Sign in")),
  list(200, json, "", "water_not_from_service", "an empty answer"),
  list(200, json, "{\"a\": 1}", "water_not_from_service", "JSON"),
  list(200, list("Content-Type" = "text/plain"), "blocked", "water_not_from_service", "blocked"),
  list(403, html, page, "water_not_from_service", c("HTTP 403", "a web page", "Sign in")),
  list(401, json, "{\"message\":\"No subscription\"}", "water_not_from_service", c("HTTP 401", "No subscription")),
  list(403, json, "[]", "water_not_from_service", c("HTTP 403", "JSON")),
  list(429, json, "{\"error\":{\"message\":\"Too fast.\"}}", "water_too_many_requests", c("HTTP 429", "Too fast")),
  list(429, json, "", "water_too_many_requests", c("HTTP 429", "an empty answer")),
  list(502, html, page, "water_service_busy", c("HTTP 502", "Sign in")),
  list(407, html, page, "water_not_from_service", "HTTP 407")
)

for (name in names(calls)) {
  test_that(paste("the error for an answer of another server names that server:", name), {
    for (reply in replies) {
      proxy$fault(list(match = "", status = reply[[1]], headers = reply[[2]], body = reply[[3]]))
      error <- expect_error(calls[[name]](patience = 0), class = reply[[4]])
      expect_equal(error$status, reply[[1]])
      for (words in c(reply[[5]], sub("http://", "", proxy$url))) {
        expect_match(conditionMessage(error), words, fixed = TRUE)
      }
    }
  })
}

test_that("a page in place of a file is refused and never kept", {
  organization <- read_terms("allocations", state = "CO", url = service$url)$OrganizationUUID[1]
  for (format in c("rds", "parquet")) {
    proxy$fault(list(match = "/records.", status = 200, headers = html, body = page))
    expect_error(download_data("allocations", organization, format), "Sign in", class = "water_not_from_service")
    proxy$fault()
    expect_gt(file.size(download_data("allocations", organization, format)), 1000)
  }
})

test_that("Retry-After may be seconds or a date", {
  later <- function(seconds) format(as.POSIXct(Sys.time() + seconds), "%a, %d %b %Y %H:%M:%S GMT", tz = "UTC")
  for (text in c(later(-1000), "-5", "soon", "", "nan")) {
    proxy$fault(list(match = "", times = 1, status = 503, headers = list("Retry-After" = text)))
    expect_equal(nrow(read_sites(limit = 1, patience = 20)), 1)
  }
  for (text in c(later(60), "120")) {
    proxy$fault(list(match = "", status = 503, headers = list("Retry-After" = text)))
    error <- expect_error(read_sites(limit = 1, patience = 5), class = "water_service_busy")
    expect_gt(error$retry_after, 50)
  }
})

seconds_until <- function(class, words, ...) {
  started <- Sys.time()
  error <- expect_error(read_sites(state = "UT", key = "x", ...), class = class)
  for (one in words) expect_match(conditionMessage(error), one, fixed = TRUE)
  as.numeric(difftime(Sys.time(), started, units = "secs"))
}

test_that("failures that waiting cannot fix end within seconds", {
  skip_if(Sys.which("openssl") == "", "openssl is not there")
  files <- file.path(folder, c("k.pem", "c.pem"))
  processx::run("openssl", c(
    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", files[1], "-out", files[2],
    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"
  ))
  port <- 20000 + Sys.getpid() %% 20000
  server <- processx::process$new("openssl", c(
    "s_server", "-accept", port, "-cert", files[2], "-key", files[1], "-quiet", "-www"
  ))
  withr::defer(server$kill())
  Sys.sleep(1)
  closed <- port + 20001
  expect_lt(seconds_until("water_connection_failed", c("The host name in", "WATER_DATA_URL"),
    url = "https://no-such-host.invalid"
  ), 15)
  expect_lt(seconds_until("water_connection_failed", c("not trusted", "CURL_CA_BUNDLE"),
    url = paste0("https://localhost:", port)
  ), 15)
  expect_lt(seconds_until("water_connection_failed", c("Could not connect", "WATER_DATA_URL"),
    url = paste0("http://127.0.0.1:", closed)
  ), 15)
  expect_lt(seconds_until("water_connection_failed", "No secure connection",
    url = sub("http://127.0.0.1", "https://localhost", service$url, fixed = TRUE)
  ), 15)
})

test_that("patience limits the whole time", {
  proxy$fault(list(match = "", status = 503, headers = list("Retry-After" = "1")))
  expect_message(
    expect_lt(seconds_until("water_service_busy", "503", url = proxy$url, patience = 5), 12), "HTTP 503",
    fixed = TRUE
  )
})

test_that("the error names an argument of the wrong type", {
  proxy$fault()
  wrong <- list(
    list(url = "127.0.0.1:7160"), list(url = 5), list(key = 5), list(patience = "10"), list(patience = -1),
    list(progress = "yes"), list(limit = "10"), list(limit = 2.5), list(limit = TRUE), list(geometry = "yes"),
    list(lookups = 1), list(state = list(a = 1)), list(state = NaN), list(state = as.raw(1)),
    list(county = c("Cache", NA)), list(boundary = 5), list(columns = 5), list(columns = "foo"),
    list(minimum_amount = Inf)
  )
  for (arguments in wrong) {
    expect_error(do.call(read_site_amounts, arguments), names(arguments), fixed = TRUE, class = "water_bad_argument")
  }
  calls <- list(
    kind = function() read_totals(5), by = function() read_totals("allocations", by = 5),
    facets = function() read_facets("allocations", 5), parameter = function() read_terms(parameter = 5),
    since = function() read_changes("allocations", 5), organization = function() download_data("allocations", 5),
    format = function() download_data("allocations", "X", format = 5),
    whole = function() download_data("allocations", "X", whole = "yes"), text = function() find_names(5),
    limit = function() find_names("a", limit = "5"), cql2 = function() read_query("sites", 5),
    collection = function() read_query(5, "State = 'UT'")
  )
  for (name in names(calls)) expect_error(calls[[name]](), name, fixed = TRUE, class = "water_bad_argument")
  expect_length(proxy$seen(), 0)
})
