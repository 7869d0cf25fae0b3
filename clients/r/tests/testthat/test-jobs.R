# Ten typical jobs of analysts, each checked against a walk of the JSON answers.

service <- start_service(TRUE)
service$make_files()
folder <- local_surroundings(service)
rights <- walk("SiteAllocationAmounts")
amounts <- walk("SiteVariableAmounts")
member <- function(records, name) vapply(records, function(one) c(unlist(one[[name]]), NA)[1], NA_character_)
numbers <- function(records, name) vapply(records, function(one) as.numeric(c(one[[name]], NA)[[1]]), 0)
county <- "Fremont"

test_that("1: rights by decade in a county", {
  totals <- read_totals("allocations", by = "priority_decade", county = county)
  of_county <- Filter(function(one) county %in% unlist(one$County), rights)
  decades <- table(10 * as.integer(substr(member(of_county, "AllocationPriorityDate"), 1, 3)))
  known <- totals[!is.na(totals$PriorityDecade), ]
  expect_identical(known$PriorityDecade, as.integer(names(decades)))
  expect_identical(known$RecordsCount, as.integer(decades))
  expect_false(metadata(totals)$groups_overlap)
})

test_that("2: use per capita of each system", {
  wanted <- c("AllocationCommunityWaterSupplySystem", "Amount", "PopulationServed")
  found <- read_site_amounts(variable_cv = "Delivered Water Use", columns = wanted, geometry = FALSE)
  found <- found[which(found$PopulationServed > 0), ]
  means <- tapply(found$Amount / found$PopulationServed, found[[1]], mean)
  own <- Filter(function(one) one$VariableCV == "Delivered Water Use" && isTRUE(one$PopulationServed > 0), amounts)
  expected <- tapply(numbers(own, "Amount") / numbers(own, "PopulationServed"), member(own, wanted[1]), mean)
  expect_equal(means, expected)
  expect_gt(length(means), 3)
})

test_that("3: a monthly series with its gaps", {
  found <- read_site_amounts(variable_cv = "Discharge Flow", order_by = "TimeframeStart", geometry = FALSE)
  site <- found$SiteUUID[1]
  series <- found[found$SiteUUID == site, ]
  months <- seq(min(series$TimeframeStart), max(series$TimeframeStart), by = "month")
  monthly <- series$Amount[match(format(months, "%Y-%m"), format(series$TimeframeStart, "%Y-%m"))]
  own <- Filter(function(one) one$VariableCV == "Discharge Flow" && one$SiteUUID == site, amounts)
  with_amounts <- unique(substr(member(own, "TimeframeStart")[!is.na(numbers(own, "Amount"))], 1, 7))
  expect_setequal(format(months[!is.na(monthly)], "%Y-%m"), with_amounts)
})

test_that("4: places in a boundary from a file, of as many vertices as a county has", {
  skip_if_not_installed("sf")
  everywhere <- read_sites()
  for (positions in c(40, 2000, 4996)) {
    angles <- 2 * pi * seq_len(positions) / positions
    ring <- cbind(-111.9 + cos(angles), 40.7 + sin(angles))
    area <- sf::st_sfc(sf::st_polygon(list(rbind(ring, ring[1, ]))), crs = 4326)
    file <- file.path(folder, paste0("area-", positions, ".geojson"))
    sf::st_write(sf::st_sf(geometry = area), file, quiet = TRUE)
    sites <- read_sites(boundary = file)
    flat <- suppressMessages(sf::sf_use_s2(FALSE))
    withr::defer(suppressMessages(sf::sf_use_s2(flat)))
    inside <- suppressMessages(lengths(sf::st_intersects(everywhere, area)) > 0)
    expect_gt(nrow(sites), 10)
    expect_identical(sites$SiteUUID, everywhere$SiteUUID[inside])
  }
})

test_that("5: a whole data set every week", {
  organization <- amounts[[1]]$OrganizationUUID
  file <- download_data("site_amounts", organization)
  expect_identical(download_data("site_amounts", organization), file)
  found <- readRDS(file)
  expect_equal(nrow(found), sum(member(amounts, "OrganizationUUID") == organization))
  changed <- read_changes("site_amounts", since = metadata(found)$data_version, geometry = FALSE)
  expect_equal(c(nrow(changed), nrow(metadata(changed)$removed)), c(0, 0))
})

test_that("6: the rights of three hundred owners", {
  names <- sort(unique(member(rights, "AllocationOwner")))
  asked <- c(names[1:40], paste("Nobody", 1:260))
  found <- read_allocations(allocation_owner = asked, geometry = FALSE)
  own <- rights[tolower(member(rights, "AllocationOwner")) %in% tolower(names[1:40])]
  expect_true(all(member(own, "AllocationNativeID") %in% found$AllocationNativeID))
  expect_gte(nrow(found), length(own))
  expect_equal(metadata(found)$total, nrow(found))
})

test_that("7: a GeoPackage for colleagues", {
  skip_if_not_installed("sf")
  sites <- read_sites(state = "UT")
  file <- file.path(folder, "sites.gpkg")
  sf::st_write(flatten_lists(sites), file, quiet = TRUE)
  read <- sf::read_sf(file)
  expect_identical(read$SiteUUID, sites$SiteUUID)
  texts <- vapply(sites$VariableCV, function(items) paste(items[!is.na(items)], collapse = "|"), "")
  expect_identical(ifelse(is.na(read$VariableCV), "", read$VariableCV), texts)
})

test_that("8: a map", {
  skip_if_not_installed("sf")
  supply <- read_aggregated_amounts()
  by_unit <- stats::aggregate(supply["Amount"], list(Unit = supply$ReportingUnitName), sum)
  file <- file.path(folder, "map.png")
  grDevices::png(file)
  plot(by_unit["Amount"])
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
})

test_that("9: irrigation of two states", {
  totals <- read_totals("allocations", by = c("state", "use_category_cv"), use_category_cv = "Irrigation")
  totals <- totals[totals$UseCategoryCV == "Irrigation", ]
  found <- read_allocations(use_category_cv = "Irrigation", geometry = FALSE)
  for (state in c("CO", "WY")) {
    expect_equal(totals$RecordsCount[totals$State == state], sum(found$OrganizationState == state))
  }
})

test_that("10: a figure with its citation", {
  totals <- read_totals("allocations", by = "priority_decade", state = "CO")
  made <- metadata(totals)
  query <- strsplit(strsplit(sub("^[^?]*[?]", "", made$url), "&")[[1]], "=")
  arguments <- stats::setNames(lapply(query, `[`, 2), vapply(query, `[`, "", 1))
  answer <- do.call(ask, c("/v1/SiteAllocationAmounts/Totals", arguments))
  expect_equal(totals$RecordsCount, vapply(answer$Totals, function(row) row$RecordsCount, 0L))
  for (words in c(made$url, made$data_version, made$licences$Release)) {
    expect_match(cite_data(totals), words, fixed = TRUE)
  }
})
