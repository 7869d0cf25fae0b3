// The paths, parameters and headers in docs/spec exist in the service, unless the specification marks them as not
// implemented. A request with a blank value shows whether a parameter exists: a blank value counts as omitted (D1),
// while an unknown name is refused (D2).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneAmount, paths } from '../fixtures/handmade';
import { PROJECT } from '../fixtures/host-process';
import { withInstantKeys } from '../fixtures/key-requests';
import { withSubmissions } from '../fixtures/submission-requests';
import { createLoadedService } from '../fixtures/test-service';

const documents = ['service', 'decisions', 'submissions', 'additions'].map((name) => {
  const text = readFileSync(join(PROJECT, 'docs', 'spec', `${name}.md`), 'utf8');
  return [name, text] as const;
});
const specification: Readonly<Record<string, string>> = Object.fromEntries(documents);

const service = createLoadedService(oneAmount);

/** The sections of additions.md, keyed by the number of the decision. */
const decisionSections = new Map(
  (specification['additions'] ?? '').split(/^### (?=D\d+$)/m).map((text) => [/^D\d+/.exec(text)?.[0] ?? '', text]),
);

function getDecision(decision: string): string {
  const text = decisionSections.get(decision);
  if (text === undefined) throw new Error(`additions.md has no ${decision}`);
  return text;
}

function isBuilt(decision: string): boolean {
  return !/\bNot built\b/i.test(getDecision(decision));
}

/** The rows of a Markdown table, the header first. Cells have no backquotes. */
function readTable(text: string): readonly (readonly string[])[] {
  const rows = text.split('\n').filter((line) => line.startsWith('|') && !line.startsWith('| -'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
}

async function fetchStatus(path: string): Promise<number> {
  return (await service.get(path, { 'x-api-key': service.key })).status;
}

/** A parameter of the operation with this path. */
type SpecifiedParameter = readonly [name: string, path: string, exists: boolean];

const tableParameters: readonly SpecifiedParameter[] = readTable(
  (specification['service'] ?? '').split(/^## /m).find((item) => item.startsWith('Parameters')) ?? '',
)
  .slice(1)
  .flatMap(([names = '', ...columns]) =>
    names.split(', ').flatMap((name) =>
      [paths.site, paths.aggregated, paths.allocations].map((path, column): SpecifiedParameter => {
        const cell = columns[column] ?? '';
        return [cell === 'yes' || cell === '' ? name : cell, path, cell !== ''];
      }),
    ),
  );

const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  all: Object.values(paths),
  'site amounts': [paths.site],
  allocations: [paths.allocations],
};

const filterParameters: readonly SpecifiedParameter[] = readTable(getDecision('D34'))
  .slice(1)
  .flatMap(([names = '', operations = '']) =>
    names
      .split(', ')
      .flatMap((name) =>
        operations
          .split(', ')
          .flatMap((item) => (OPERATIONS[item] ?? []).map((path): SpecifiedParameter => [name, path, isBuilt('D34')])),
      ),
  );

const amounts = [paths.site, paths.aggregated];
const items = '/ogc/collections/sites/items';

/** Parameters that the text of a decision names, and the paths that have them. */
const parametersByDecision: readonly (readonly [decision: string, parameterPaths: readonly string[], names: string])[] =
  [
    ['D35', [paths.allocations], 'AllocationOwner OwnerClassificationCV AllocationTypeCV WaterSourceTypeCV'],
    ['D35', [paths.allocations], 'ExemptOfVolumeFlowPriority MinimumFlow MaximumFlow MinimumVolume MaximumVolume'],
    ['D81', [paths.allocations], 'WaterSourceUUID'],
    ['D35', amounts, 'MinimumAmount MaximumAmount'],
    ['D36', Object.values(paths), 'OrderBy'],
    ['D37', Object.values(paths), 'ChangedSince'],
    ['D38', Object.values(paths).map((path) => `${path}/Totals`), 'GroupBy format DataVersion'],
    ['D41', Object.values(paths).map((path) => `${path}/Facets`), 'Facet'],
    ['D42', ['/v1/Sites'], 'SiteUUID SiteTypeCV PODorPOUSite State County HUC8 HUC12 SearchBoundary OrganizationUUID'],
    ['D42', ['/v1/Sites'], 'VariableCV VariableSpecificCV BeneficialUseCV USGSCategoryNameCV WaterSourceTypeCV'],
    ['D42', ['/v1/Sites'], 'StartDate EndDate MinimumYears'],
    ['D43', ['/v1/ReportingUnits'], 'ReportingUnitUUID ReportingUnitTypeCV State SearchBoundary OrganizationUUID'],
    ['D43', ['/v1/ReportingUnits'], 'VariableCV VariableSpecificCV BeneficialUseCV UsgsCategoryNameCV MinimumYears'],
    ['D63', [...Object.values(paths), '/v1/Sites', '/v1/ReportingUnits'], 'UseCategoryCV'],
    ['D46', Object.values(paths).map((path) => `${path}/Export`), 'OrderBy DataVersion format'],
    ['D48', [items], 'limit bbox bbox-crs crs datetime filter filter-lang filter-crs offset'],
    ['D50', ['/ogc/collections/sites/tiles/WebMercatorQuad/0/0/0'], 'cluster'],
  ];

const textParameters: readonly SpecifiedParameter[] = parametersByDecision.flatMap(
  ([decision, parameterPaths, names]) =>
    parameterPaths.flatMap((path) =>
      names.split(' ').map((name): SpecifiedParameter => [name, path, isBuilt(decision)]),
    ),
);

test.each([...tableParameters, ...filterParameters, ...textParameters])(
  'the parameter %s of %s exists: %s',
  async (name, path, exists) => {
    const status = await fetchStatus(`${path}?${name}=`);
    expect(exists ? [200, 204] : [400]).toContain(status);
  },
);

test('reads parameters from the tables of the specification', () => {
  expect(tableParameters).not.toEqual([]);
  expect(filterParameters).not.toEqual([]);
});

/** Replaces the variables in a path of the specification with real values. */
function buildExamples(path: string): readonly string[] {
  const example = path
    .replace('RELEASE', '0'.repeat(32))
    .replace('NAME', 'records.parquet')
    .replace('{z}/{row}/{column}', '0/0/0')
    .replace('FEATURE', 'ORG_1~S1')
    .replace('/ID', '/sites');
  if (example.startsWith('<operation>'))
    return Object.values(paths).map((item) => example.replace('<operation>', item));
  const [whole, alternatives = ''] = /\{([\w|-]+)\}/.exec(example) ?? [];
  return whole === undefined ? [example] : alternatives.split('|').map((item) => example.replace(whole, item));
}

/** D47 and D53 omit `/ogc`, and for two resources also the collection. */
function completePath(decision: string, path: string): string {
  if (!/^D(47|53)$/.test(decision) || path.startsWith('/ogc')) return path;
  return /^\/(queryables|schema)$/.test(path) ? `/ogc/collections/ID${path}` : `/ogc${path}`;
}

const specifiedPaths = [...decisionSections.keys()].flatMap((decision) =>
  [...(decisionSections.get(decision) ?? '').matchAll(/`(?:GET )?((?:\/|<operation>\/)[\w.][^`\s?]*)[^`]*`/g)].map(
    ([, path = '']) => [completePath(decision, path), decision] as const,
  ),
);

test.each(specifiedPaths)('the path %s of %s exists if its decision is implemented', async (path, decision) => {
  for (const example of buildExamples(path)) {
    const withAll = withInstantKeys(withSubmissions(service, { submissionsHttp: 'submit' }));
    const serviceWithKeys = { ...withAll, publicUrl: 'https://water.example.org' };
    const { status, text } = await service.getFrom(serviceWithKeys, example);
    expect([example, status === 404 && text.includes('Unknown path')]).toEqual([example, !isBuilt(decision)]);
  }
});

/** Retry-After and Query-Hint occur in other answers. */
const HEADERS_OF_EACH_PAGE = [
  'ETag',
  'Link',
  'Data-Version',
  'X-Total-Count',
  'X-Record-Count',
  'RateLimit',
  'RateLimit-Policy',
];

test('exposes the headers of D32, and a page has them', async () => {
  const { headers } = await service.get(paths.site, { 'x-api-key': service.key });
  const exposed = headers['Access-Control-Expose-Headers']?.split(', ');
  expect(exposed).toEqual(expect.arrayContaining([...HEADERS_OF_EACH_PAGE, 'Retry-After', 'Query-Hint']));
  expect(Object.keys(headers)).toEqual(expect.arrayContaining(HEADERS_OF_EACH_PAGE));
});
