# Splits lists that are too long for one request, and joins the answers, all of one data version, into one result.

# The maximum number of values of one parameter in a request.
most_values <- 100

# Splits a query into queries with at most `most_values` values of each parameter, for all combinations.
parts_of <- function(query) {
  values <- split(unname(query), factor(names(query), levels = unique(names(query))))
  if (all(lengths(values) <= most_values)) return(list(query))
  chunks <- Map(function(name, texts) {
    lapply(split(texts, ceiling(seq_along(texts) / most_values)), function(some) repeated(name, some))
  }, names(values), values)
  combinations <- expand.grid(lapply(chunks, seq_along))
  lapply(seq_len(nrow(combinations)), function(row) {
    unlist(unname(Map(function(name, at) chunks[[name]][[at]], names(chunks), unlist(combinations[row, ]))))
  })
}

# Refuses a long list before any request is sent, if the answers cannot be joined.
require_one_part <- function(query, caller) {
  counts <- table(names(query))
  if (length(counts) == 0 || max(counts) <= most_values) return(invisible())
  longest <- names(counts)[which.max(counts)]
  bad_argument(
    caller, " takes at most ", most_values, " values of ", snake_case(longest), ", and not ", max(counts),
    ": counts and sums of several requests cannot be combined. Read the records, or use several calls."
  )
}

# The rows of all parts without duplicates, in the service's order: by OrderBy, then by organization and key.
joined_rows <- function(found, query, identifiers) {
  keys <- lapply(unname(found[c("OrganizationUUID", identifiers)]), plain_key)
  texts <- do.call(paste, c(keys, sep = "\x02"))
  first <- !duplicated(texts)
  found <- found[first, ]
  keys <- lapply(keys, `[`, first)
  order_by <- unname(query["OrderBy"])
  before <- if (!is.na(order_by)) {
    values <- xtfrm(found[[sub("^-", "", order_by)]])
    list(is.na(values), if (startsWith(order_by, "-")) -values else values)
  }
  found[do.call(order, c(before, keys, list(na.last = FALSE, method = "radix"))), ]
}

# Collects one part after the other; `rows` returns the rows fetched so far.
parts_collector <- function(question, queries, read) {
  collectors <- list()
  results <- list()
  joined <- function(frames) {
    found <- question$join(do.call(rbind, frames))
    utils::head(found, min(question$limit, nrow(found)))
  }
  run <- function() {
    while (length(results) < length(queries)) {
      at <- length(results) + 1
      if (length(collectors) < at) {
        part <- question
        part$query <- queries[[at]]
        part$limit <- Inf
        if (at > 1) part$query <- pinned(part$query, metadata(results[[1]])$data_version)
        collectors[[at]] <<- pages_collector(part, read)
      }
      results[[at]] <<- collectors[[at]]$run()
    }
    made <- lapply(results, metadata)
    plain <- lapply(results, function(frame) structure(frame, metadata = NULL))
    all <- question$join(do.call(rbind, plain))
    first <- made[[1]]
    first$total <- nrow(all)
    first$urls <- vapply(made, function(one) one$url, "")
    hints <- unique(unlist(lapply(made, function(one) one$hint)))
    first["hint"] <- list(if (length(hints)) paste(hints, collapse = "; "))
    structure(utils::head(all, min(question$limit, nrow(all))), metadata = first)
  }
  list(run = run, rows = function() joined(lapply(collectors, function(collector) collector$rows())))
}
