# Checking and sending submissions.

service <- start_service(TRUE)
local_surroundings(service)
utah <- file.path(samples, "utah-site-amounts")

test_that("a folder is checked, and nothing is published", {
  report <- check_submission(utah)
  expect_true(report$verdict %in% c("would-publish", "unchanged"))
  expect_match(report$sentence, "2,265 records")
})

test_that("a submission that would be refused gets a report", {
  folder <- withr::local_tempdir()
  file.copy(list.files(utah, full.names = TRUE), folder)
  file.rename(file.path(folder, "sites.csv"), file.path(folder, "site.csv"))
  report <- check_submission(folder)
  expect_equal(report$verdict, "refused")
  expect_match(report$sentence, "site.csv seems to be meant as sites.csv")
})

test_that("something that is no submission is an error", {
  folder <- withr::local_tempdir()
  broken <- file.path(folder, "broken.zip")
  writeBin(as.raw(c(0x50, 0x4b, 3, 4)), broken)
  expect_error(check_submission(broken), "damaged or incomplete", class = "water_data_error")
  writeLines("x", file.path(folder, "letter.txt"))
  expect_error(check_submission(file.path(folder, "letter.txt")), "is not a folder", class = "water_bad_argument")
  expect_error(check_submission(file.path(folder, "absent")), "There is no folder", class = "water_bad_argument")
})

test_that("sending needs an intake", {
  expect_error(submit(utah), class = "water_not_offered")
  expect_error(submission("20260102T030405678Z-00000000"), class = "water_not_offered")
  expect_error(submission("../Keys"), class = "water_bad_argument")
})
