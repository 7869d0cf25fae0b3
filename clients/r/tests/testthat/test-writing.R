# Other programs can read the files written from frames, and find the service's values in them.

service <- start_service(TRUE)
folder <- local_surroundings(service)

test_that("records and places can be written without lists", {
  skip_if_not_installed("sf")
  for (operation in names(readers)) {
    found <- readers[[operation]]()
    expect_s3_class(found, c("sf", "tbl_df", "tbl", "data.frame"), exact = TRUE)
    flat <- flatten_lists(found)
    expect_s3_class(flat, c("sf", "tbl_df", "tbl", "data.frame"), exact = TRUE)
    package <- file.path(folder, "out.gpkg")
    sf::st_write(flat, package, delete_dsn = file.exists(package), quiet = TRUE)
    read <- sf::read_sf(package)
    expect_equal(nrow(read), nrow(found))
    lists <- names(found)[vapply(sf::st_drop_geometry(found), is.list, TRUE)]
    for (name in lists) {
      cells <- lapply(found[[name]], function(items) ifelse(is.na(items), "", gsub("([\\\\|])", "\\\\\\1", items)))
      texts <- vapply(cells, paste, "", collapse = "|")
      expect_identical(ifelse(is.na(read[[name]]), "", read[[name]]), texts, info = name)
    }
    table <- file.path(folder, "out.csv")
    write.csv(sf::st_drop_geometry(flat), table, row.names = FALSE)
    expect_equal(nrow(read.csv(table, colClasses = "character")), nrow(found))
    for (ending in c("csv", "gpkg", "geojson")) {
      file <- write_records(found, file.path(folder, paste0("own.", ending)))
      expect_equal(nrow(if (ending == "csv") read.csv(file) else sf::read_sf(file)), nrow(found))
    }
  }
})

test_that("CSV is the same as that of the service", {
  for (operation in names(readers)) {
    file <- write_records(readers[[operation]](geometry = FALSE), file.path(folder, "own.csv"))
    handle <- curl::new_handle()
    curl::handle_setheaders(handle, "X-API-Key" = service$key)
    address <- paste0(service$url, "/v1/", operation, "?format=csv&RecordCount=10000")
    theirs <- file.path(folder, "theirs.csv")
    curl::curl_download(address, theirs, handle = handle)
    read <- function(file) readr::read_csv(file, col_types = readr::cols(.default = "c"), na = "", trim_ws = FALSE)
    mine <- read(file)
    wanted <- read(theirs)
    expect_identical(names(mine), names(wanted))
    for (name in setdiff(names(mine), c("Longitude", "Latitude"))) {
      expect_identical(sub("T00:00:00$", "", mine[[name]]), sub("T00:00:00$", "", wanted[[name]]), info = name)
    }
  }
})

test_that("lists become texts that can be parsed again", {
  frame <- tibble::tibble(a = list(c("x|y", "z\\"), character(), c(NA, "q"), NA_character_), b = 1:4)
  expect_identical(flatten_lists(frame)$a, c("x\\|y|z\\\\", NA, "|q", NA))
  expect_identical(flatten_lists(frame, ";")$a[1], "x|y;z\\\\")
  expect_identical(flatten_lists(frame)$b, 1:4)
  for (wrong in list("", "ab", "\\", 5)) {
    expect_error(flatten_lists(frame, wrong), "separator", class = "water_bad_argument")
  }
  expect_error(flatten_lists(5), "found", class = "water_bad_argument")
})

test_that("spreadsheets run no cell, and numbers keep their digits", {
  numbers <- c(0.1 + 0.2, 1e20, -2, 1e-7, 41.92337092)
  frame <- tibble::tibble(t = c("=1+1", "-5", "@a", "'b", "00123"), n = numbers)
  read <- read.csv(write_records(frame, file.path(folder, "x.csv")), colClasses = "character")
  expect_identical(read$t, c("'=1+1", "-5", "'@a", "''b", "00123"))
  expect_identical(as.numeric(read$n), numbers)
  expect_identical(read$n[c(3, 5)], c("-2", "41.92337092"))
})

test_that("an unknown ending and a map without geometries are refused", {
  frame <- read_totals("allocations", by = "county")
  for (file in c("x.xlsx", "x.shp", "x")) {
    expect_error(write_records(frame, file), "must end in", class = "water_bad_argument")
  }
  expect_error(write_records(frame, "x.gpkg"), "needs geometries", class = "water_bad_argument")
})

test_that("an empty result gives a message with the hint", {
  hint <- "No records match. .*Weld"
  expect_message(read_allocations(county = "Weldd", state = "CO"), hint, class = "water_nothing_found")
  expect_message(find_names("nobody has this name"), "No records match", class = "water_nothing_found")
  expect_message(read_totals("allocations", county = "Weldd"), "No records match", class = "water_nothing_found")
  expect_silent(read_changes("allocations", metadata(read_sites(limit = 1))$data_version, geometry = FALSE))
})

test_that("columns can be chosen", {
  found <- read_allocations(columns = c("AllocationOwner", "site_uuid"), geometry = FALSE)
  expect_identical(names(found), c("AllocationOwner", "SiteUUID"))
  expect_gt(length(cite_data(found)), 0)
  expect_identical(names(read_query("sites", "State = 'UT'", columns = "SiteUUID", geometry = FALSE)), "SiteUUID")
  skip_if_not_installed("sf")
  expect_identical(names(read_sites(columns = "SiteUUID")), c("SiteUUID", "geometry"))
})

test_that("counts, sums, terms and changes can be cited", {
  terms <- metadata(read_allocations(state = "CO", geometry = FALSE))$licences
  counted <- list(
    read_totals("allocations", by = "county", state = "CO"), read_facets("allocations", "county", state = "CO"),
    read_terms("allocations", state = "CO")
  )
  for (found in counted) {
    expect_identical(metadata(found)$licences, terms)
    expect_match(cite_data(found), metadata(found)$url, fixed = TRUE)
    expect_match(cite_data(found), "DataVersion=", fixed = TRUE)
  }
  of_one <- read_totals("allocations", organization_uuid = terms$OrganizationUUID)
  expect_identical(metadata(of_one)$licences$OrganizationUUID, terms$OrganizationUUID)
})

test_that("a boundary may be a file or a collection with one feature", {
  skip_if_not_installed("sf")
  box <- sf::st_as_sfc(sf::st_bbox(c(xmin = -112, ymin = 38, xmax = -105, ymax = 42), crs = 4326))
  wanted <- nrow(read_sites(boundary = box))
  corners <- "[[-112,38],[-105,38],[-105,42],[-112,42],[-112,38]]"
  feature <- sprintf(
    "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[%s]}}", corners
  )
  collection <- sprintf("{\"type\":\"FeatureCollection\",\"features\":[%s]}", feature)
  file <- file.path(folder, "one.geojson")
  writeLines(collection, file)
  package <- file.path(folder, "one.gpkg")
  sf::st_write(sf::st_sf(geometry = sf::st_transform(box, 3857)), package, quiet = TRUE)
  for (boundary in list(feature, collection, jsonlite::parse_json(collection), file, package)) {
    expect_equal(nrow(read_sites(boundary = boundary, geometry = FALSE)), wanted)
  }
  two <- sprintf("{\"type\":\"FeatureCollection\",\"features\":[%s,%s]}", feature, feature)
  for (boundary in list(two, file.path(folder, "none.geojson"), "{\"type\": ", "{\"type\":\"FeatureCollection\"}")) {
    expect_error(read_sites(boundary = boundary), "boundary", class = "water_bad_argument")
  }
})

test_that("help lists groupings and facets", {
  help <- tools::Rd_db("waterdataquery")[["read_totals.Rd"]]
  skip_if(is.null(help), "The package is installed without its help")
  text <- paste(capture.output(tools::Rd2txt(help)), collapse = " ")
  for (name in c("priority_decade", "water_year", "beneficial_use_cv")) expect_match(text, name, fixed = TRUE)
})
