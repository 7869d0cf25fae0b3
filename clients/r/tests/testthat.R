library(testthat)
library(waterdataquery)

test_check("waterdataquery")
