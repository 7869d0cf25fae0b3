# The functions return the records of the service's JSON answers, in each of the ways in which they fetch them.

service <- start_service(TRUE)
service$make_files()
local_surroundings(service)

# Expects the cells of a column to have the values in JSON and the right type.
expect_cells <- function(cells, members, name) {
  plain <- function(member) lapply(member, function(one) if (length(one)) unlist(one)[[1]] else NA)
  wanted <- unlist(plain(if (is.list(cells)) unlist(members, recursive = FALSE) else members))
  if (is.list(cells)) expect_identical(lengths(cells), lengths(members), info = name)
  flat <- if (is.list(cells)) unlist(cells) else cells
  if (inherits(flat, c("Date", "POSIXct"))) {
    flat <- format(flat, "%Y-%m-%d")
    wanted <- substr(wanted, 1, 10)
  }
  as_cells <- if (is.numeric(flat)) as.numeric else if (is.logical(flat)) as.logical else as.character
  expect_identical(as_cells(flat), suppressWarnings(as_cells(wanted)), info = name)
}

for (operation in names(readers)) {
  test_that(paste("a frame has the records of the JSON answers:", operation), {
    local_sizes(first = 50, page = 100)
    frame <- readers[[operation]](geometry = FALSE)
    records <- walk(operation)
    expect_s3_class(frame, "tbl_df")
    expect_equal(nrow(frame), length(records))
    expect_gt(nrow(frame), 0)
    for (name in names(frame)) expect_cells(frame[[name]], lapply(records, `[[`, name), name)
    expect_equal(metadata(frame)$source, "pages")
    expect_equal(metadata(frame)$total, nrow(frame))
  })
}

for (operation in names(readers)[1:3]) {
  test_that(paste("filtered records come in pages, and files and pages give the same frame:", operation), {
    by_pages <- readers[[operation]](geometry = FALSE)
    local_sizes(by_pages = 10)
    date <- if (operation == "SiteAllocationAmounts") "AllocationPriorityDate" else "TimeframeStart"
    some <- by_pages[!is.na(by_pages[[date]]) & by_pages[[date]] >= as.Date("1990-01-01"), ]
    by_date <- if (operation == "SiteAllocationAmounts") "start_priority_date" else "start_date"
    filtered <- do.call(readers[[operation]], stats::setNames(list("1990-01-01", FALSE), c(by_date, "geometry")))
    if (operation != "AggregatedAmounts") {
      expect_equal(metadata(filtered)$source, "pages")
      expect_same_table(filtered, some)
    }
    whole <- readers[[operation]](geometry = FALSE)
    expect_equal(metadata(whole)$source, "files")
    expect_same_table(whole, by_pages)
  })
}

test_that("an empty result is a frame with the same types", {
  some <- read_allocations(limit = 1, geometry = FALSE)
  none <- read_allocations(state = "AK", geometry = FALSE)
  expect_equal(c(nrow(none), metadata(none)$total), c(0, 0))
  expect_identical(lapply(none, class), lapply(some, class))
  for (reader in readers) expect_equal(nrow(reader(state = "AK")), 0)
})

test_that("geometries match the service", {
  skip_if_not_installed("sf")
  expect_true(all(sf::st_geometry_type(read_allocations()) == "MULTIPOINT"))
  amounts <- read_site_amounts()
  known <- !is.na(amounts$Longitude) & !sf::st_is_empty(amounts)
  expect_identical(unname(sf::st_coordinates(amounts[known, ])[, 1]), amounts$Longitude[known])
  areas <- read_aggregated_amounts()
  units <- read_reporting_units()
  unit <- units[units$ReportingUnitUUID == areas$ReportingUnitUUID[1], ]
  expect_equal(sf::st_geometry(areas)[[1]], sf::st_geometry(unit)[[1]])
  sites <- read_sites(state = "UT")
  known <- abs(sites$Longitude) <= 180 & abs(sites$Latitude) <= 90 & (sites$Longitude != 0 | sites$Latitude != 0)
  expect_identical(sf::st_is_empty(sites), !(known %in% TRUE))
})

test_that("lookups are returned as frames", {
  rights <- read_allocations(lookups = TRUE, geometry = FALSE)
  lookups <- metadata(rights)$lookups
  expect_false("MethodName" %in% names(rights))
  expect_setequal(names(lookups), c("Sites", "VariableSpecifics", "Methods", "WaterSources", "BeneficialUses"))
  expect_setequal(lookups$Sites$SiteUUID, unlist(rights$SiteUUID))
  whole <- read_allocations(geometry = FALSE)
  expect_identical(lookups$Methods$MethodName[match(rights$MethodUUID, lookups$Methods$MethodUUID)], whole$MethodName)
})

test_that("totals, facets and terms match the service", {
  totals <- read_totals("allocations", by = c("priority_decade", "County"), state = "CO")
  answer <- ask("/v1/SiteAllocationAmounts/Totals", GroupBy = "PriorityDecade", GroupBy = "County", State = "CO")
  expect_equal(metadata(totals)$total, answer$TotalGroupsCount)
  expect_equal(metadata(totals)$groups_overlap, answer$GroupsOverlap)
  expect_type(totals$PriorityDecade, "integer")
  rights <- read_allocations(state = "CO", geometry = FALSE)
  expect_equal(sum(read_totals("allocations", state = "CO")$RecordsCount), nrow(rights))
  facets <- read_facets("allocations", "allocation_type_cv", state = "CO")
  expect_equal(sum(facets$Count), sum(!is.na(rights$AllocationTypeCV)))
  uses <- read_facets("allocations", "beneficial_use_cv", organization_uuid = rights$OrganizationUUID[1])
  terms <- read_terms("allocations", "beneficial_use_cv", organization_uuid = rights$OrganizationUUID[1])
  expect_setequal(paste(terms$Value, terms$Records), paste(uses$Value, uses$Count))
  expect_error(read_totals("allocations", by = "decade"), class = "water_bad_argument")
  expect_error(read_terms("allocations", "beneficial_use"), "did you mean beneficial_use_cv")
})

test_that("find_names() returns the arguments for the records of a name", {
  found <- find_names("s", limit = 120)
  expect_equal(nrow(found), min(120, metadata(found)$total))
  right <- which(found$SiteAllocationAmounts > 0)[1]
  expect_equal(nrow(do.call(read_allocations, found$Arguments[[right]])), found$SiteAllocationAmounts[right])
  expect_equal(nrow(find_names("nobody has this name")), 0)
})

test_that("CQL2 and parameters find the same", {
  by_filter <- read_query("allocations", "AllocationPriorityDate >= DATE('1900-01-01')", geometry = FALSE)
  first <- read_query("allocations", "AllocationPriorityDate >= DATE('1900-01-01')", geometry = FALSE, limit = 3)
  expect_identical(nrow(first), 3L)
  expect_gt(nrow(by_filter), 0)
  expect_same_table(by_filter, read_allocations(start_priority_date = as.Date("1900-01-01"), geometry = FALSE))
})

test_that("a boundary may be a geometry, text or numbers", {
  skip_if_not_installed("sf")
  box <- sf::st_bbox(c(xmin = -112, ymin = 38, xmax = -105, ymax = 42), crs = 4326)
  wanted <- nrow(read_sites(boundary = c(-112, 38, -105, 42)))
  expect_gt(wanted, 0)
  corners <- list(c(-112, 38), c(-105, 38), c(-105, 42), c(-112, 42), c(-112, 38))
  geojson <- list(type = "Polygon", coordinates = list(corners))
  for (boundary in list(box, sf::st_as_sfc(box), sf::st_as_text(sf::st_as_sfc(box)), geojson)) {
    expect_equal(nrow(read_sites(boundary = boundary, geometry = FALSE)), wanted)
  }
})

test_that("metadata has the origin of the records", {
  rights <- read_allocations(state = "CO", geometry = FALSE)
  expect_match(metadata(rights)$data_version, "^[0-9a-f]{32}$")
  expect_match(cite_data(rights), metadata(rights)$licences$Release, fixed = TRUE)
  expect_false(any(grepl(service$key, c(unlist(metadata(rights)), cite_data(rights)), fixed = TRUE)))
  expect_equal(tested_with(), ask("/openapi.json")$info$version)
})

test_that("the lines on the landing page run", {
  page <- rawToChar(curl::curl_fetch_memory(service$url)$content)
  code <- sub("(?s)^.*?<summary>R, with the package.*?<code>(.*?)</code>.*$", "\\1", page, perl = TRUE)
  code <- gsub("&#34;", "\"", gsub("&#60;", "<", code))
  code <- gsub("https://ADDRESS-OF-THIS-SERVICE", service$url, gsub("YOUR-KEY", service$key, code), fixed = TRUE)
  surroundings <- new.env()
  expect_output(eval(parse(text = code), surroundings))
  expect_equal(nrow(surroundings$records), 100)
})
