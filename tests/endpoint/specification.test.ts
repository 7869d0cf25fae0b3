// What docs/spec names and calls built is there, and what it calls not built is not: each path, parameter and header is
// asked for. A blank value counts as left out (D1) and an unknown name does not (D2), so a name alone is enough to ask.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneAmount, paths } from '../fixtures/handmade';
import { PROJECT } from '../fixtures/host-process';
import { withInstantKeys } from '../fixtures/key-requests';
import { createLoadedService } from '../fixtures/test-service';

const pages = ['service', 'decisions', 'submissions', 'additions'].map((name) => {
  const text = readFileSync(join(PROJECT, 'docs', 'spec', `${name}.md`), 'utf8');
  return [name, text] as const;
});
const texts: Readonly<Record<string, string>> = Object.fromEntries(pages);

const service = createLoadedService(oneAmount);

/** The sections of additions.md by the numbers of their decisions. */
const sections = new Map(
  (texts['additions'] ?? '').split(/^### (?=D\d+$)/m).map((text) => [/^D\d+/.exec(text)?.[0] ?? '', text]),
);

function sectionOf(decision: string): string {
  const text = sections.get(decision);
  if (text === undefined) throw new Error(`additions.md has no ${decision}`);
  return text;
}

function isBuilt(decision: string): boolean {
  return !/\bNot built\b/i.test(sectionOf(decision));
}

/** The first row is that of the titles, and each cell is without the marks of code. */
function tableIn(text: string): readonly (readonly string[])[] {
  const rows = text.split('\n').filter((line) => line.startsWith('|') && !line.startsWith('| -'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
}

async function statusOf(path: string): Promise<number> {
  return (await service.get(path, { 'x-api-key': service.key })).status;
}

/** A parameter has a name and an operation that is asked with it, which knows it or not. */
type Asked = readonly [name: string, path: string, isKnown: boolean];

const specified: readonly Asked[] = tableIn(
  (texts['service'] ?? '').split(/^## /m).find((one) => one.startsWith('Parameters')) ?? '',
)
  .slice(1)
  .flatMap(([names = '', ...columns]) =>
    names.split(', ').flatMap((name) =>
      [paths.site, paths.aggregated, paths.allocations].map((path, column): Asked => {
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

const filters: readonly Asked[] = tableIn(sectionOf('D34'))
  .slice(1)
  .flatMap(([names = '', operations = '']) =>
    names
      .split(', ')
      .flatMap((name) =>
        operations
          .split(', ')
          .flatMap((one) => (OPERATIONS[one] ?? []).map((path): Asked => [name, path, isBuilt('D34')])),
      ),
  );

const amounts = [paths.site, paths.aggregated];
const items = '/ogc/collections/sites/items';

/** Parameters that running text names, and where it says that they can be asked. */
const named: readonly (readonly [decision: string, at: readonly string[], names: string])[] = [
  ['D35', [paths.allocations], 'AllocationOwner OwnerClassificationCV AllocationTypeCV WaterSourceTypeCV'],
  ['D35', [paths.allocations], 'ExemptOfVolumeFlowPriority MinimumFlow MaximumFlow MinimumVolume MaximumVolume'],
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

const inText: readonly Asked[] = named.flatMap(([decision, at, names]) =>
  at.flatMap((path) => names.split(' ').map((name): Asked => [name, path, isBuilt(decision)])),
);

test.each([...specified, ...filters, ...inText])('the parameter %s of %s is known: %s', async (name, path, isKnown) => {
  const status = await statusOf(`${path}?${name}=`);
  expect(isKnown ? [200, 204] : [400]).toContain(status);
});

test('the parameters that are asked of a section stand in it, and no section is left out', () => {
  for (const [decision, , names] of named) {
    for (const name of names.split(' '))
      expect(sectionOf(decision)).toMatch(new RegExp(`(?<![\\w-])${name}(?![\\w-])`));
  }
  expect([specified.length, filters.length]).toEqual([57, 15]);
});

/** What a path of the specification stands for, with a true value in each of its places. */
function examplesOf(path: string): readonly string[] {
  const placed = path
    .replace('RELEASE', '0'.repeat(32))
    .replace('NAME', 'records.parquet')
    .replace('{z}/{row}/{column}', '0/0/0')
    .replace('FEATURE', 'ORG_1~S1')
    .replace('/ID', '/sites');
  if (placed.startsWith('<operation>')) return Object.values(paths).map((one) => placed.replace('<operation>', one));
  const [whole, alternatives = ''] = /\{([\w|-]+)\}/.exec(placed) ?? [];
  return whole === undefined ? [placed] : alternatives.split('|').map((one) => placed.replace(whole, one));
}

/** D47 and its fine print name what is below `/ogc`, and two things below each collection, without saying so. */
function wholePath(decision: string, path: string): string {
  if (!/^D(47|53)$/.test(decision) || path.startsWith('/ogc')) return path;
  return /^\/(queryables|schema)$/.test(path) ? `/ogc/collections/ID${path}` : `/ogc${path}`;
}

const pathsNamed = [...sections.keys()].flatMap((decision) =>
  [...(sections.get(decision) ?? '').matchAll(/`(?:GET )?((?:\/|<operation>\/)[\w.][^`\s?]*)[^`]*`/g)].map(
    ([, path = '']) => [wholePath(decision, path), decision] as const,
  ),
);

test.each(pathsNamed)('the path %s of %s is as its status word says', async (path, decision) => {
  for (const example of examplesOf(path)) {
    const asked = { ...withInstantKeys(service.service), publicUrl: 'https://water.example.org' };
    const { status, text } = await service.getFrom(asked, example);
    expect([example, status === 404 && text.includes('Unknown path')]).toEqual([example, !isBuilt(decision)]);
  }
});

test('the headers that D32 names are exposed, and those of every page are on a page', async () => {
  const [, listed = ''] = /Exposed are ([^.]+)\./.exec(texts['decisions'] ?? '') ?? [];
  const names = listed.split(/, | and /);
  expect(names).toHaveLength(9);
  const { headers } = await service.get(paths.site, { 'x-api-key': service.key });
  const exposed = headers['Access-Control-Expose-Headers']?.split(', ');
  expect(exposed).toEqual(expect.arrayContaining(names));
  for (const name of names) if (!/^(Retry-After|Query-Hint)$/.test(name)) expect(Object.keys(headers)).toContain(name);
});

test('every decision of additions.md but the fine print says whether it is built', () => {
  const decisions = [...sections].filter(([name]) => /^D\d+$/.test(name) && !/^D5[23]$/.test(name));
  expect(decisions.length).toBeGreaterThan(17);
  for (const [name, text] of decisions) expect([name, /^\*\*(Built|Not built)\b/m.test(text)]).toEqual([name, true]);
});
