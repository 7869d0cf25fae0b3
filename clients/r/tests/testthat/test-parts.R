# Lists with more values than one request takes give the same result as a single request would.

service <- start_service(TRUE)
proxy <- start_proxy(service)
local_surroundings(service, proxy$url)
sites <- read_sites(url = service$url, geometry = FALSE)$SiteUUID

# The expected records: all records of these sites in a walk of the whole data.
wanted_rows <- function(reader, asked) {
  whole <- reader(url = service$url, geometry = FALSE)
  whole[vapply(whole$SiteUUID, function(cell) any(cell %in% asked), TRUE), ]
}

for (name in c("read_sites", "read_site_amounts", "read_allocations")) {
  test_that(paste("many values give one frame:", name), {
    reader <- getExportedValue("waterdataquery", name)
    for (count in c(100, 101, 250)) {
      asked <- c(utils::tail(sites, count), utils::tail(sites, 3))
      proxy$fault()
      found <- reader(site_uuid = asked, geometry = FALSE)
      wanted <- wanted_rows(reader, asked)
      expect_same_table(found, wanted)
      expect_equal(metadata(found)$total, nrow(wanted))
      versions <- regmatches(proxy$seen()$path, regexpr("DataVersion=[0-9a-f]*", proxy$seen()$path))
      expect_lte(length(unique(versions)), 1)
      first <- reader(site_uuid = asked, geometry = FALSE, limit = 7)
      expect_same_table(first, utils::head(wanted, 7))
      expect_equal(metadata(first)$total, nrow(wanted))
    }
  })
}

test_that("the joined parts are sorted", {
  proxy$fault()
  for (order_by in c("-Amount", "Amount")) {
    found <- read_site_amounts(site_uuid = sites, geometry = FALSE, order_by = order_by)
    values <- found$Amount[!is.na(found$Amount)]
    expect_identical(values, sort(values, decreasing = startsWith(order_by, "-")))
    expect_identical(is.na(found$Amount), sort(is.na(found$Amount)))
    expect_equal(nrow(found), nrow(read_site_amounts(geometry = FALSE)))
  }
})

test_that("a retrieval resumes after an interruption between parts", {
  whole <- read_sites(site_uuid = sites[1:250], url = service$url)
  proxy$fault(list(match = "nothing"))
  proxy$fault(list(match = utils::URLencode(sites[150], reserved = TRUE), status = 503))
  error <- expect_error(read_sites(site_uuid = sites[1:250], patience = 0), class = "water_service_busy")
  expect_gt(nrow(error$partial), 0)
  expect_lt(nrow(error$partial), nrow(whole))
  proxy$fault()
  expect_same_table(error$resume(), whole)
})

test_that("a sentence refuses long lists where parts cannot be joined", {
  proxy$fault()
  many <- paste0("S", 1:101)
  calls <- list(
    function() read_totals("allocations", site_uuid = many), function() find_names("bear", state = many),
    function() read_facets("allocations", "county", site_uuid = many)
  )
  for (call in calls) expect_error(call(), "at most 100 values", class = "water_bad_argument")
  expect_length(proxy$seen(), 0)
})

test_that("terms and changes accept long lists", {
  whole <- read_terms()
  own <- unique(whole$OrganizationUUID)
  found <- read_terms(organization_uuid = c(paste0("X", 1:150), own))
  expect_identical(sort(found$Value), sort(whole$Value))
  changed <- read_changes(
    "allocations", metadata(whole)$data_version,
    organization_uuid = c(paste0("X", 1:150), own), geometry = FALSE
  )
  expect_equal(nrow(changed), 0)
})
