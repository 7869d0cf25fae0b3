// The text of `npm run releases -- list` about the history (data-loaders/manage-releases.ts).

import { makeCatalogState, type CatalogEntry } from '../../shared/store/catalog-types';
import { listReleases, publishedStates } from '../../data-loaders/manage-releases';

const submission = {
  ...{ name: 'third-quarter', contact: 'data@example.org', note: 'two\nlines \u001b[31m' },
  ...{ termsOfUse: null, license: 'https://example.org/license', citation: null },
};

function entry(organizationUuid: string, releaseId: string, more: Partial<CatalogEntry> = {}): CatalogEntry {
  const published = { isSample: false, publishedAt: '2026-01-01T00:00:00.000Z' };
  return { organizationUuid, dataSet: 'SiteVariableAmounts', releaseId, records: 12_345, ...published, ...more };
}

const first = makeCatalogState([entry('ORG_1', 'aaa'), entry('ORG_2', 'bbb')], '2026-01-01T00:00:00.000Z', 'load');
const second = makeCatalogState([entry('ORG_1', 'ccc', { submission })], '2026-01-02T00:00:00.000Z', 'load');
const third = makeCatalogState([entry('ORG_1', 'aaa')], '2026-01-03T00:00:00.000Z', 'rollback');
const states = publishedStates([third, second, first]);

test('a former state says what it brought and what it took out', () => {
  expect(states.map(({ brought, tookOut }) => [brought, tookOut])).toEqual([
    [[entry('ORG_1', 'aaa')], []],
    [[entry('ORG_1', 'ccc', { submission })], [entry('ORG_2', 'bbb')]],
    [first.entries, []],
  ]);
});

test('the listing says who, when, how many records and which release, each on its line', () => {
  expect(listReleases(states).split('\n')).toEqual([
    `Data version ${third.version}, since 2026-01-03T00:00:00.000Z, by rollback`,
    ...['  ORG_1 SiteVariableAmounts: 12,345 records, published 2026-01-01T00:00:00.000Z', '    release: aaa', ''],
    'Before it, with what each brought:',
    `Data version ${second.version}, since 2026-01-02T00:00:00.000Z, by load`,
    ...['  ORG_1 SiteVariableAmounts: 12,345 records, published 2026-01-01T00:00:00.000Z', '    release: ccc'],
    ...['    submission: third-quarter', '    contact: data@example.org', '    note: two lines [31m'],
    ...['    license: https://example.org/license', '  took out ORG_2 SiteVariableAmounts'],
    `Data version ${first.version}, since 2026-01-01T00:00:00.000Z, by load`,
    ...['  ORG_1 SiteVariableAmounts: 12,345 records, published 2026-01-01T00:00:00.000Z', '    release: aaa'],
    ...['  ORG_2 SiteVariableAmounts: 12,345 records, published 2026-01-01T00:00:00.000Z', '    release: bbb'],
  ]);
});

test('a store in which nothing was published says so', () => {
  expect(listReleases([])).toBe('Nothing is published.');
});
