// The description of each operation in the OpenAPI document, in addition to its summary, keyed by the operation's name.

const COMBINED = 'Filters combine with AND; without filters, all records match.';

const PAGED = 'Follow `rel="next"` of the header `Link`, or add `RecordCount` to `StartIndex`, to read further pages.';

const RECORDS = `${COMBINED} ${PAGED}`;

const TOTALS =
  'One row for each combination of groups, variable and unit: amounts in different units are never added up. ' +
  'All filters of the records apply.';

const FACETS =
  'For each value, the number of records that would match if you selected it. All filters of the records apply.';

const REMOVED =
  'Needs `Since`, the data version of an earlier answer. Together with `ChangedSince` it keeps a copy up to date.';

const PLACES = `Every place with its series. ${COMBINED} ${PAGED}`;

/** Lists the statuses that an operation with a binary answer can return but does not declare (D80). */
const NOT_DECLARED =
  'Generated clients return the bytes of a 200. With `If-None-Match` the answer can be a 304 without a body';

const EXPORT =
  'The operator limits the number of records in an export, to 5,000,000 by default. A larger export gets a 400 that says how many ' +
  'records match. An export has no pages: it accepts neither StartIndex nor RecordCount. ' +
  `${NOT_DECLARED}.`;

export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  SiteVariableAmounts: RECORDS,
  AggregatedAmounts: RECORDS,
  SiteAllocationAmounts: RECORDS,
  SiteVariableAmountsTotals: TOTALS,
  AggregatedAmountsTotals: TOTALS,
  SiteAllocationAmountsTotals: TOTALS,
  SiteVariableAmountsFacets: FACETS,
  AggregatedAmountsFacets: FACETS,
  SiteAllocationAmountsFacets: FACETS,
  SiteVariableAmountsRemoved: REMOVED,
  AggregatedAmountsRemoved: REMOVED,
  SiteAllocationAmountsRemoved: REMOVED,
  SiteVariableAmountsExport: EXPORT,
  AggregatedAmountsExport: EXPORT,
  SiteAllocationAmountsExport: EXPORT,
  Sites: PLACES,
  ReportingUnits: PLACES,
  Inventory: 'Organizations, their data sets, and the values of each filter with their numbers of records.',
  Find: 'Finds sites, reporting units, rights, owners, counties, watersheds and terms by the beginnings of words.',
  Downloads: 'Each data set as published, with the addresses, lengths and digests of its files.',
  DownloadFile:
    `${NOT_DECLARED}, and a service on Azure can answer with a 302 to an address that needs no key and takes ranges; ` +
    'HTTP clients follow it automatically.',
  Tile:
    `${NOT_DECLARED}. An empty tile is a 204 without a body. ` +
    'A browser that asks for HTML receives a 401 or 404 as a page.',
  Health: 'For monitoring. It needs no key and answers within seconds, with a 503 if the data cannot be read.',
  KeyChallenge:
    'Find the number from 0 to `maxnumber` for which the SHA-256 of `salt` followed by the number, in hexadecimal digits, ' +
    'is `challenge`.',
  RequestKey:
    '`Proof` is the solved challenge: Base64 of the JSON text `{"algorithm", "challenge", "number", "salt", "signature"}`, ' +
    'where `number` is the solution and the other members are those of the challenge. Each challenge can be used once.',
  ClaimKey: 'The token is after `#claim=` in the link of the email.',
  OwnKey: 'The key itself authorizes the request, in the header `X-API-Key` or as a Bearer token.',
  DeleteKey: 'The key itself authorizes the request. Deleting a key cannot be undone.',
  RotateKey: 'The key itself authorizes the request. Replace the old key wherever you use it within 24 hours.',
};
