# The expected records: reads the JSON answers and joins lookups by hand.

ask <- function(path, ...) {
  query <- paste(names(list(...)), vapply(list(...), as.character, ""), sep = "=", collapse = "&")
  handle <- curl::new_handle()
  curl::handle_setheaders(handle, "X-API-Key" = Sys.getenv("WATER_DATA_KEY"))
  answer <- curl::curl_fetch_memory(paste0(Sys.getenv("WATER_DATA_URL"), path, "?", query), handle)
  jsonlite::parse_json(rawToChar(answer$content))
}

identifiers <- c(
  Sites = "SiteUUID", ReportingUnits = "ReportingUnitUUID", VariableSpecifics = "VariableSpecificUUID",
  Methods = "MethodUUID", WaterSources = "WaterSourceUUID"
)

# The expected records: each record of the JSON answers joined with the members of its organization and lookups.
walk <- function(operation, ...) {
  kind <- if (operation == "SiteAllocationAmounts") "WaterAllocations" else operation
  records <- list()
  repeat {
    page <- ask(paste0("/v1/", operation), StartIndex = length(records), RecordCount = 700, ...)$Organizations
    came <- unlist(lapply(page, function(organization) {
      lapply(organization[[kind]], joined, organization)
    }), recursive = FALSE)
    if (length(came) == 0) return(records)
    records <- c(records, came)
  }
}

joined <- function(record, organization) {
  found <- record[setdiff(names(record), c("Sites", "Series"))]
  add <- function(members) {
    for (name in setdiff(names(members), names(found))) found[name] <<- list(members[[name]])
  }
  for (lookup in names(identifiers)) {
    by <- identifiers[[lookup]]
    items <- as.list(organization[[lookup]])
    names(items) <- vapply(items, function(item) item[[by]], "")
    if (lookup == "Sites" && is.list(record$Sites)) {
      sites <- lapply(record$Sites, function(site) utils::modifyList(items[[site$SiteUUID]], site, keep.null = TRUE))
      members <- unique(unlist(lapply(sites, names)))
      add(stats::setNames(lapply(members, function(member) lapply(sites, `[[`, member)), members))
    } else if (is.character(record[[by]])) {
      add(items[[record[[by]]]])
    }
  }
  series <- record$Series
  members <- if (length(series)) names(series[[1]])
  add(stats::setNames(lapply(members, function(name) lapply(series, `[[`, name)), members))
  names <- vapply(c(record$BeneficialUses, record$BeneficialUseCategoryCV), function(one) unlist(one)[[1]], "")
  uses <- lapply(names, function(name) Filter(function(use) use$Name == name, organization$BeneficialUses)[[1]])
  if (!is.null(organization$BeneficialUses)) {
    for (member in c("BeneficialUseCategoryCV", "USGSCategoryNameCV", "NAICSCodeNameCV")) {
      found[[member]] <- lapply(uses, `[[`, member)
    }
  }
  utils::modifyList(found, organization[c("OrganizationUUID", "OrganizationName", "OrganizationState")])
}
