// Names, unknown names and repeats (D1 to D3) of the three operations.

import { conjunctsOfKind, EVERYTHING } from '../../shared/query/condition';
import { aggregatedAmounts, siteAllocationAmounts, siteVariableAmounts } from '../../shared/query/operations';
import type { Operation } from '../../shared/query/operations';
import { splitQuery, type ParameterError } from '../../shared/query/query-values';
import { readRequest, type OperationRequest } from '../../shared/query/read-request';

const operations = [siteVariableAmounts, aggregatedAmounts, siteAllocationAmounts];

function requestOf(operation: Operation, query: string): OperationRequest {
  const read = readRequest(operation, splitQuery(query), { slashDateOrder: 'MDY' });
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return read.request;
}

function errorsOf(operation: Operation, query: string): readonly ParameterError[] {
  const read = readRequest(operation, splitQuery(query), { slashDateOrder: 'MDY' });
  return read.ok ? [] : read.errors;
}

const termsOf = (operation: Operation, query: string): readonly (readonly string[])[] =>
  conjunctsOfKind(requestOf(operation, query).condition, 'term').map(({ terms }) => terms);

test('without parameters everything is asked for, from the first record, 1,000 of them', () => {
  for (const operation of operations) {
    expect(requestOf(operation, '')).toEqual({
      ...{ condition: EVERYTHING, startIndex: 0, recordCount: 1000, groupBy: [], facets: [] },
      ...{ words: [], kinds: [], given: [] },
    });
  }
});

const parameters: readonly { readonly operation: Operation; readonly names: string }[] = [
  {
    operation: siteVariableAmounts,
    names: `SiteUUID SiteTypeCV VariableCV VariableSpecificCV BeneficialUseCV USGSCategoryNameCV StartDate EndDate
     SearchBoundary HUC8 HUC12 County State PODorPOUSite WaterSourceTypeCV UseCategoryCV MinimumAmount MaximumAmount`,
  },
  {
    operation: aggregatedAmounts,
    names: `ReportingUnitUUID ReportingUnitTypeCV VariableCV VariableSpecificCV BeneficialUseCV UsgsCategoryNameCV StartDate
     EndDate SearchBoundary State UseCategoryCV MinimumAmount MaximumAmount`,
  },
  {
    operation: siteAllocationAmounts,
    names: `SiteUUID SiteTypeCV BeneficialUseCV USGSCategoryNameCV StartPriorityDate EndPriorityDate SearchGeometry HUC8 HUC12
     County State PODorPOUSite AllocationUUID AllocationNativeID AllocationLegalStatusCV AllocationOwner
     OwnerClassificationCV AllocationTypeCV WaterSourceTypeCV UseCategoryCV ExemptOfVolumeFlowPriority MinimumFlow MaximumFlow
     MinimumVolume MaximumVolume`,
  },
];

const onAll =
  'OrganizationUUID StartPublicationDate EndPublicationDate ChangedSince StartIndex RecordCount OrderBy DataVersion format';

test.each(parameters)(
  '$operation.name has the parameters of service.md, D33 to D35 and ADR 0033',
  ({ operation, names }) => {
    const declared = operation.parameters.map(({ name }) => name);
    expect(declared).toEqual(`${names} ${onAll}`.split(/\s+/));
  },
);

test.each(['siteUUID', 'SITEUUID', 'siteuuid', '%20SiteUUID+', 'S%69teUUID'])('%s is SiteUUID', (name) => {
  expect(termsOf(siteVariableAmounts, `${name}=A1`)).toEqual([['site:a1']]);
  expect(termsOf(siteAllocationAmounts, `${name}=A1`)).toEqual([['site:a1']]);
});

test.each(['UsgsCategoryNameCV', 'USGSCategoryNameCV', 'usgscategorynamecv'])('%s is one parameter', (name) => {
  for (const operation of operations) expect(termsOf(operation, `${name}=Mining`)).toEqual([['usgsCategory:mining']]);
});

test.each(['SearchBoundary', 'SearchGeometry', 'searchboundary', 'SEARCHGEOMETRY'])('%s is the boundary', (name) => {
  for (const operation of operations) {
    const [found] = conjunctsOfKind(requestOf(operation, `${name}=POINT(1+2)`).condition, 'boundary');
    expect(found?.boundary.geometry).toEqual({ type: 'Point', coordinates: [1, 2] });
  }
});

test.each([
  { operation: siteVariableAmounts, name: 'SearchBoundary' },
  { operation: aggregatedAmounts, name: 'SearchBoundary' },
  { operation: siteAllocationAmounts, name: 'SearchGeometry' },
])('$operation.name: both names of the boundary together are a repeat of $name', ({ operation, name }) => {
  const errors = errorsOf(operation, 'SearchBoundary=POINT(1+2)&SearchGeometry=POINT(1+2)');
  expect(errors.map(({ parameter }) => parameter)).toEqual([name]);
});

test('a blank value is the same as an omitted parameter', () => {
  const blank = 'SiteUUID=&State=+&StartDate=%09&StartIndex&RecordCount=%C2%A0&SearchBoundary=&DataVersion=&key=';
  expect(requestOf(siteVariableAmounts, blank)).toEqual(requestOf(siteVariableAmounts, ''));
  expect(termsOf(siteVariableAmounts, 'State=&State=UT&State=')).toEqual([['state:ut']]);
  expect(requestOf(siteVariableAmounts, 'StartIndex=&StartIndex=7&startindex=').startIndex).toBe(7);
});

test.each(['HUC8=16010202', 'County=Cache', 'SiteUUID=1', 'SiteTypeCV=1'])('aggregated amounts have no %s', (query) => {
  expect(errorsOf(aggregatedAmounts, query)).toHaveLength(1);
});

test('a repeated text filter means any of the values, and a comma separates nothing', () => {
  const query = 'State=UT&state=co&County=Cache&County=Rich,+Weber&State=UT';
  expect(termsOf(siteVariableAmounts, query).map((terms) => [...new Set(terms)])).toEqual([
    ['county:cache', 'county:rich, weber'],
    ['state:ut', 'state:co'],
  ]);
});

test.each([
  [100, 0],
  [101, 1],
])('%i values of one text filter make %i errors', (count, errors) => {
  const query = Array.from({ length: count }, (_, index) => `SiteUUID=S${index}`).join('&');
  const found = errorsOf(siteVariableAmounts, query);
  expect(found.map(({ parameter }) => parameter)).toEqual(Array.from({ length: errors }, () => 'SiteUUID'));
  for (const { message } of found) expect(message).toContain('100');
});

test.each([
  ['StartDate=2000-01-01&startDate=2000-01-01', 'StartDate'],
  ['EndDate=2000-01-01&EndDate=2001-01-01', 'EndDate'],
  ['StartIndex=1&StartIndex=1', 'StartIndex'],
  ['MinimumAmount=1&minimumAmount=2', 'MinimumAmount'],
  ['RecordCount=1&RecordCount=2', 'RecordCount'],
  ['SearchBoundary=POINT(1+1)&SearchBoundary=POINT(1+1)', 'SearchBoundary'],
  [`DataVersion=${'a'.repeat(32)}&DataVersion=${'a'.repeat(32)}`, 'DataVersion'],
  ['key=one-secret&KEY=another-secret', 'key'],
])('?%s stands more than once', (query, name) => {
  const errors = errorsOf(siteVariableAmounts, query);
  expect(errors.map(({ parameter }) => parameter)).toEqual([name]);
  expect(JSON.stringify(errors)).not.toContain('secret');
});
