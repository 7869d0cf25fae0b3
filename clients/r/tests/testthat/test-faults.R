# Broken connections, limits, redirects, and a publish during a retrieval: no record is lost, and no key leaks.

service <- start_service(TRUE)
service$make_files()
proxy <- start_proxy(service)
folder <- local_surroundings(service, proxy$url)
read_rights <- function(...) read_allocations(geometry = FALSE, ...)
whole <- read_rights(url = service$url)
organization <- whole$OrganizationUUID[1]

test_that("pages are complete after ten broken connections", {
  local_sizes(first = 20, page = 20)
  proxy$fault(list(match = "StartIndex", cutAfter = 500, oncePerPath = TRUE))
  expect_same_table(read_rights(), whole)
  expect_gt(sum(duplicated(proxy$seen()$path)), 9)
})

test_that("a long query is sent in the body, and the parameters of its pages in addresses", {
  local_sizes(first = 20, page = 20)
  proxy$fault()
  circle <- function(positions) {
    angles <- 2 * pi * seq_len(positions - 1) / (positions - 1)
    ring <- sprintf("%.12f %.12f", -110 + 8 * cos(angles), 39 + 8 * sin(angles))
    paste0("POLYGON((", paste(c(ring, ring[1]), collapse = ", "), "))")
  }
  found <- read_rights(boundary = circle(5000))
  expect_same_table(found, read_rights(boundary = circle(60), url = service$url))
  seen <- proxy$seen()
  posted <- seen[seen$form != "", ]
  expect_gt(nrow(found), 40)
  expect_gt(nrow(posted), 2)
  expect_true(all(grepl("SearchGeometry=POLYGON", posted$form)))
  expect_true(all(nchar(seen$path) < 4000))
  expect_false(any(grepl("SearchGeometry", seen$path)))
  expect_false(any(grepl(service$key, posted$form, fixed = TRUE)))
})

test_that("a file download resumes after ten broken connections", {
  proxy$fault(list(match = "records.parquet", times = 10, cutAfter = 1500))
  file <- download_data("allocations", organization, format = "parquet")
  seen <- proxy$seen()
  ranges <- seen$range[grepl("records.parquet", seen$path)]
  expect_equal(ranges[1:3], c(NA, "bytes=1500-", "bytes=3000-"))
  expect_length(ranges, 11)
  expect_gt(file.size(file), 15000)
})

test_that("waits for a busy service, within the patience", {
  for (status in c(429, 503)) {
    proxy$fault(list(match = "StartIndex", times = 2, status = status, headers = list("Retry-After" = "0")))
    expect_equal(nrow(read_rights(limit = 5)), 5)
  }
  proxy$fault(list(match = "", status = 429, headers = list("Retry-After" = "60")))
  error <- expect_error(read_rights(limit = 5, patience = 1), class = "water_too_many_requests")
  expect_equal(error[c("status", "retry_after", "retryable")], list(status = 429L, retry_after = 60, retryable = TRUE))
  expect_equal(nrow(error$partial), 0)
})

test_that("an interruption keeps the fetched records and can be resumed", {
  local_sizes(first = 20, page = 20)
  proxy$fault(list(match = "StartIndex=60&", status = 503, headers = list("Retry-After" = "60")))
  error <- expect_error(read_rights(patience = 0.1), class = "water_service_busy")
  expect_gt(nrow(error$partial), 0)
  expect_lt(nrow(error$partial), nrow(whole))
  proxy$fault()
  expect_same_table(error$resume(), whole)
  expect_false(any(grepl("StartIndex=0&", proxy$seen()$path)))
})

test_that("an interruption also keeps rows of other listings", {
  found <- find_names("s", limit = 250, url = service$url)
  proxy$fault(list(match = "StartIndex=100&", status = 503))
  error <- expect_error(find_names("s", limit = 250, patience = 0), class = "water_service_busy")
  expect_gte(nrow(error$partial), 100)
  proxy$fault()
  expect_same_table(error$resume(), found)
})

test_that("an answer without a column says that the service has a different version", {
  header <- list("Data-Version" = strrep("0", 32), "X-Total-Count" = "1")
  proxy$fault(list(match = "", status = 200, headers = header, body = "OrganizationUUID\nA\n"))
  expect_error(read_rights(), paste("tested with version", tested_with()))
})

test_that("a wrong key has its own error and is not retried", {
  proxy$fault()
  error <- expect_error(read_sites(key = "wdk_wrong"), class = "water_key_refused")
  expect_equal(error$status, 401L)
  expect_match(error$problem$type, "key-unknown")
  expect_false(grepl("wdk_wrong", conditionMessage(error)))
  expect_equal(nrow(proxy$seen()), 1)
})

test_that("the key is in no address and is sent to no other host", {
  other <- start_proxy(service)
  other$fault()
  elsewhere <- list(Location = paste0(other$url, "/v1/Sites"))
  proxy$fault(list(match = "", status = 302, headers = elsewhere))
  expect_error(read_sites(), "set url to that address", class = "water_data_error")
  expect_length(other$seen(), 0)
  proxy$fault(list(match = "/records.csv.gz", status = 302, headers = elsewhere))
  expect_error(download_data("allocations", organization, format = "csv.gz"), class = "water_data_error")
  expect_equal(other$seen()$key, NA)
  expect_equal(unique(proxy$seen()$key), service$key)
  expect_false(any(grepl(service$key, c(proxy$seen()$path, other$seen()$path), fixed = TRUE)))
})

test_that("the key can be read from a file", {
  withr::local_envvar(WATER_DATA_KEY = "")
  proxy$fault()
  expect_error(read_sites(limit = 1), "waterdataquery", class = "water_key_refused")
  dir.create(file.path(folder, "configuration/waterdataquery"), recursive = TRUE)
  writeLines(service$key, file.path(folder, "configuration/waterdataquery/key"))
  expect_equal(nrow(read_sites(limit = 1)), 1)
})

test_that("invalid arguments are refused before any request", {
  proxy$fault()
  wrong <- list(
    list(list(sate = "UT"), "did you mean state?"), list(list(SiteTypeCV = "Well"), "did you mean site_type_cv?"),
    list(list(start_date = c("2001", "2002")), "one value"), list(list(county = character()), "empty"),
    list(list(county = NA), "not a text"), list(list("UT"), "must be named"), list(list(limit = 0), "limit"),
    list(list(url = "http://example.org"), "clear text"),
    list(list(url = "https://example.org?key=1"), "set the key separately")
  )
  for (one in wrong) {
    expect_error(do.call(read_site_amounts, one[[1]]), one[[2]], fixed = TRUE, class = "water_bad_argument")
  }
  expect_length(proxy$seen(), 0)
})

test_that("what the service refuses is said with its sentences", {
  expect_error(read_site_amounts(end_date = "31/12/2010"), "EndDate is not a date", class = "water_bad_argument")
  proxy$fault(list(match = "", status = 404))
  expect_error(find_names("bear river"), "404", class = "water_not_offered")
})

# Changes one amount and removes two rights.
change <- function(file) {
  lines <- readLines(file)
  at <- match("AllocationVolume_AF", strsplit(lines[1], ",")[[1]])
  cells <- strsplit(lines, ",", fixed = TRUE)
  row <- which(vapply(cells, function(one) !is.na(one[at]) && one[at] != "", TRUE))[2]
  cells[[row]][at] <- "12345.5"
  lines[row] <- paste(cells[[row]], collapse = ",")
  writeLines(utils::head(lines, -2), file)
}

test_that("a publish during a retrieval mixes no versions, and the next call takes only changes", {
  service <- start_service(FALSE)
  proxy <- start_proxy(service)
  local_surroundings(service, proxy$url)
  submission <- file.path(withr::local_tempdir(), "submission")
  dir.create(submission)
  file.copy(list.files(file.path(samples, "colorado-allocations"), full.names = TRUE), submission)
  service$load(submission)
  service$make_files()
  before <- read_rights()
  organization <- before$OrganizationUUID[1]
  first_file <- download_data("allocations", organization)
  kept <- readRDS(first_file)
  change(file.path(submission, "waterallocations.csv"))

  local_sizes(first = 20, page = 20)
  publish <- c("/usr/bin/env", paste0(names(service$variables), "=", service$variables))
  publish <- c(publish, node, file.path(bundle, "load.js"), submission)
  proxy$fault(list(match = "StartIndex=40&", times = 1, run = publish))
  expect_same_table(read_rights(), before)
  after <- read_rights()
  old <- metadata(before)$data_version
  expect_false(metadata(after)$data_version == old)
  changed <- read_changes("allocations", old, geometry = FALSE)
  expect_equal(c(nrow(changed), nrow(metadata(changed)$removed), nrow(before) - nrow(after)), c(1, 2, 2))

  # The files of the new release are not made yet, and not needed.
  proxy$fault()
  file <- download_data("allocations", organization)
  expect_identical(file, first_file)
  expect_identical(lapply(readRDS(file), class), lapply(kept, class))
  expect_length(cite_data(readRDS(file)), 1)
  expect_false(any(grepl("records.csv", proxy$seen()$path)))
  expect_true(any(grepl("ChangedSince", proxy$seen()$path)))
  local_sizes(by_pages = 10)
  updated <- read_rights()
  expect_equal(metadata(updated)$source, "files")
  expect_same_table(updated, after)
  service$make_files()
  expect_identical(download_data("allocations", organization, whole = TRUE), first_file)
  expect_same_table(readRDS(first_file), after)
  expect_true(any(grepl("records.csv", proxy$seen()$path)))
})
