// The columns of a release say what its records and lookups say, on both stores, for random submissions (ADR 0059).

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { filterTerm, type FilterField, type Vocabulary } from '../../shared/query/text-filters';
import { DATA_SET_KINDS, type NumberColumn } from '../../shared/records/data-sets';
import type { LookupKind } from '../../shared/records/lookups';
import { ranksOfTerm } from '../../shared/search/index/hashes';
import { seriesOfPlace } from '../../shared/search/index/place-series';
import * as columns from '../../shared/search/index/release-index';
import { vocabularyOf } from '../../shared/search/index/release-index';
import { createSearchCaches, type SearchCaches } from '../../shared/search/index/search-caches';
import { RECORD_COLUMNS, type OrdinalColumn } from '../../shared/store/artifacts';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import { listText } from '../../shared/store/fragments';
import type { ReleaseReader, Store } from '../../shared/store/port';
import { startCosmosEmulator, type CosmosEmulator } from '../fixtures/cosmos-emulator';
import { plainYear } from '../fixtures/plain-years';
import { randomSubmission } from '../fixtures/random-submission';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { createTestService, TEST_NOW, type TestService } from '../fixtures/test-service';
import { isoDateOfDay } from '../../shared/values/dates';
import { soakCases } from '../fixtures/soak';

const SEED = 20_260_301;
const SUBMISSIONS = soakCases(6, 0.5);

type Item = Readonly<Record<string, unknown>>;

const folder = temporaryFolder();
let emulator: CosmosEmulator;

beforeAll(async () => {
  emulator = await startCosmosEmulator();
});

afterAll(() => emulator.stop());

const stores: readonly (readonly [name: string, open: (staging: string) => Store | undefined])[] = [
  ['the embedded store', () => undefined],
  [
    'Azure Cosmos DB',
    (stagingDirectory) => openCosmosStore(emulator.newLocation(), { stagingDirectory, now: () => TEST_NOW }),
  ],
];

/** Everything of a release that its columns are compared with. */
interface Release {
  readonly reader: ReleaseReader;
  readonly caches: SearchCaches;
  readonly records: readonly Item[];
  readonly lookups: ReadonlyMap<LookupKind, readonly Item[]>;
  readonly vocabulary: Vocabulary;
}

async function releasesOf({ store }: TestService): Promise<readonly Release[]> {
  const { entries } = await store.currentState();
  return Promise.all(
    entries.map(async ({ releaseId }) => {
      const reader = await store.openRelease(releaseId);
      if (reader === undefined) throw new Error('a current release is not there');
      const caches = createSearchCaches(16 * 1024 * 1024);
      const records = listText(await reader.records(Uint32Array.from({ length: reader.facts.records }, (_, at) => at)));
      const lookups = new Map<LookupKind, readonly Item[]>();
      let first = 0;
      for (const { kind, count } of reader.facts.lookups) {
        const texts = await reader.lookups(Uint32Array.from({ length: count }, (_, at) => first + at));
        lookups.set(kind, JSON.parse(listText(texts)) as Item[]);
        first += count;
      }
      const vocabulary = await vocabularyOf(reader, caches);
      return { reader, caches, records: JSON.parse(records) as Item[], lookups, vocabulary };
    }),
  );
}

describe.each(stores)('%s', (_, open) => {
  test('gives columns that say what records and lookups say', async () => {
    const found = new Set<string>();
    for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: SUBMISSIONS })) {
      const own = mkdtempSync(join(folder, 'columns-'));
      const service = createTestService('MDY', own, open(join(own, 'staging')));
      await service.load(submission);
      for (const release of await releasesOf(service)) {
        found.add(release.reader.facts.dataSet);
        await expectColumns(release);
        await expectPlaces(release);
        await expectPlaceCounts(release);
      }
      await service.close();
    }
    expect([...found].sort()).toEqual([...DATA_SET_KINDS].sort());
  });
});

const MEMBERS: Readonly<Record<NumberColumn, string>> = {
  amount: 'Amount',
  flow: 'AllocationFlow_CFS',
  volume: 'AllocationVolume_AF',
};

async function expectColumns(release: Release): Promise<void> {
  const { reader, caches, records } = release;
  const directory = await columns.columnDirectoryOf(reader, caches);
  const { numbers, ordinals } = RECORD_COLUMNS[reader.facts.dataSet];
  for (const name of numbers) {
    const chunk = await columns.numberChunkOf(reader, name, 0, caches);
    const expected = records.map((record) => record[MEMBERS[name]] as number | null);
    expect([...chunk].map((number) => (Number.isNaN(number) ? null : number))).toEqual(expected);
    const numbersOf = expected.filter((number) => number !== null);
    const bounds = numbersOf.length === 0 ? null : [Math.min(...numbersOf), Math.max(...numbersOf)];
    expect(directory.bounds[name]).toEqual([bounds]);
  }
  for (const name of ordinals) {
    const chunk = await columns.ordinalChunkOf(reader, name, 0, caches);
    expect(chunk.length).toBe(records.length);
    const texts = [...chunk].map((ordinal) => meaningOf(name, ordinal, directory, release));
    expect([name, texts]).toEqual([name, records.map((record) => expectedOf(name, record, release))]);
  }
}

function meaningOf(
  name: OrdinalColumn,
  ordinal: number,
  directory: Awaited<ReturnType<typeof columns.columnDirectoryOf>>,
  { lookups, vocabulary }: Release,
): unknown {
  const idOf = (kind: LookupKind, member: string, number: number): unknown => lookups.get(kind)?.[number]?.[member];
  const terms = (values: typeof directory.values.use, code: number): readonly string[] =>
    (Object.entries(values) as [FilterField, readonly number[]][])
      .flatMap(([field, numbers]) => {
        const value = vocabulary[field]?.[(numbers[code] ?? 0) - 1]?.[0];
        return value === undefined ? [] : [filterTerm(field, value)];
      })
      .sort();
  switch (name) {
    case 'variable':
      return [idOf('VariableSpecifics', 'VariableSpecificUUID', ordinal), directory.variables[ordinal]?.slice(0, 3)];
    case 'method':
      return idOf('Methods', 'MethodUUID', ordinal);
    case 'source':
      return ordinal === 0
        ? null
        : [idOf('WaterSources', 'WaterSourceUUID', ordinal - 1), terms(directory.values.source, ordinal - 1)];
    case 'useSet':
      return (directory.useSets[ordinal] ?? [])
        .map((use) => [idOf('BeneficialUses', 'Name', use), terms(directory.values.use, use)])
        .sort();
    case 'reportYear':
      return ordinal === 0 ? null : directory.reportYears[ordinal - 1];
    case 'rowTerms':
      return terms(directory.values.rowTerms, ordinal);
  }
}

/** What the record's own text says of it. */
function expectedOf(name: OrdinalColumn, record: Item, { lookups, reader }: Release): unknown {
  const itemOf = (kind: LookupKind, member: string, id: unknown): Item | undefined =>
    lookups.get(kind)?.find((item) => item[member] === id);
  switch (name) {
    case 'variable': {
      const variable = itemOf('VariableSpecifics', 'VariableSpecificUUID', record['VariableSpecificUUID']);
      const texts = ['VariableSpecificTypeCV', 'VariableCV', 'AmountUnitCV'].map((member) => variable?.[member]);
      return [record['VariableSpecificUUID'], texts];
    }
    case 'method':
      return record['MethodUUID'];
    case 'source': {
      const id = record['WaterSourceUUID'];
      if (id === null) return null;
      const type = itemOf('WaterSources', 'WaterSourceUUID', id)?.['WaterSourceTypeCV'] as string | null;
      const isFiltered = reader.facts.dataSet !== 'AggregatedAmounts' && type !== null;
      return [id, isFiltered ? [filterTerm('waterSourceType', type)] : []];
    }
    case 'useSet':
      return usesOf(record)
        .map((use) => {
          const usgs = itemOf('BeneficialUses', 'Name', use)?.['USGSCategoryNameCV'] as string | null;
          const categories = usgs === null ? [] : [filterTerm('usgsCategory', usgs)];
          return [use, [filterTerm('use', use), ...categories].sort()];
        })
        .sort();
    case 'reportYear':
      return record['ReportYear'];
    case 'rowTerms': {
      return ROW_MEMBERS.flatMap(([field, member]) => {
        const value = record[member] as string | boolean | null;
        return value === null ? [] : [filterTerm(field, String(value))];
      }).sort();
    }
  }
}

function usesOf(record: Item): readonly string[] {
  const listed = (record['BeneficialUses'] ?? record['BeneficialUseCategoryCV']) as readonly unknown[];
  const uses = listed.map((use) => (typeof use === 'string' ? use : (use as Item)['BeneficialUseCategoryCV']));
  const primary = record['PrimaryUseCategoryCV'];
  return [...new Set([...uses, ...(primary === null ? [] : [primary])])] as string[];
}

const ROW_MEMBERS: readonly (readonly [FilterField, string])[] = [
  ['legalStatus', 'AllocationLegalStatusCodeCV'],
  ['allocationType', 'AllocationTypeCV'],
  ['ownerClass', 'OwnerClassificationCV'],
  ['exempt', 'ExemptOfVolumeFlowPriority'],
];

const PLACE_MEMBERS: readonly (readonly [FilterField, string])[] = [
  ['siteType', 'SiteTypeCV'],
  ['county', 'County'],
  ['huc8', 'HUC8'],
  ['huc12', 'HUC12'],
  ['podOrPou', 'PODorPOUSite'],
];

async function expectPlaces({ reader, caches, records, lookups, vocabulary }: Release): Promise<void> {
  const kind = reader.facts.dataSet === 'AggregatedAmounts' ? 'ReportingUnits' : 'Sites';
  const id = kind === 'Sites' ? 'SiteUUID' : 'ReportingUnitUUID';
  const places = lookups.get(kind) ?? [];
  const names = await columns.placeNamesOf(reader, caches);
  expect(names).toEqual(places.map((place) => place[id]));
  const { codes, sets } = await columns.placeCodesOf(reader, caches);
  const ranksOf = (code: number): readonly number[] =>
    code <= names.length ? [code - 1] : (sets[code - names.length - 1] ?? []);
  const found = [...codes].map((code) => (code === 0 ? [] : ranksOf(code).map((rank) => names[rank])));
  const sites = records.map((record) => (record['Sites'] as readonly Item[] | undefined) ?? [record]);
  expect(found).toEqual(sites.map((of) => of.map((site) => site[id]).sort()));
  const { x, y, values } = await columns.placeColumnsOf(reader, caches);
  expect([x.length, y.length]).toEqual([names.length, names.length]);
  if (kind !== 'Sites') return;
  for (const [field, member] of PLACE_MEMBERS) {
    const valueOf = (ordinal: number): string | undefined => vocabulary[field]?.[ordinal - 1]?.[0];
    const shown = names.map((_, rank) => valueOf(values[field]?.[rank] ?? 0));
    const folded = (value: string | null | undefined): string | null =>
      value === null || value === undefined ? null : filterTerm(field, value);
    // A place to which only rejected rows refer has no terms.
    const isUsed = names.map((name) => found.some((of) => of.includes(name)));
    const expected = places.map((place) => folded(place[member] as string | null));
    const used = <Value>(all: readonly Value[]): readonly Value[] => all.filter((_, rank) => isUsed[rank]);
    expect([field, used(shown.map(folded))]).toEqual([field, used(expected)]);
  }
}

/** How many records, and of amounts which series, each place has (D42), and that it is found by its identifier. */
async function expectPlaceCounts({ reader, caches, records, lookups }: Release): Promise<void> {
  const { dataSet } = reader.facts;
  const [kind, id, field] =
    dataSet === 'AggregatedAmounts'
      ? (['ReportingUnits', 'ReportingUnitUUID', 'reportingUnit'] as const)
      : (['Sites', 'SiteUUID', 'site'] as const);
  const names = (lookups.get(kind) ?? []).map((place) => String(place[id]));
  const ofPlace = names.map((name) =>
    records.filter((record) =>
      ((record['Sites'] as readonly Item[] | undefined) ?? [record]).some((at) => at[id] === name),
    ),
  );
  expect([...(await columns.placeRecordsOf(reader, caches))]).toEqual(ofPlace.map(({ length }) => length));
  const hashes = await columns.placeHashesOf(reader, caches);
  for (const [rank, name] of names.entries()) {
    expect(ranksOfTerm(hashes, filterTerm(field, name.toUpperCase()))).toContain(rank);
  }
  expect(hashes.length).toBe(names.length);
  if (dataSet === 'WaterAllocations') return;
  const series = await columns.placeSeriesOf(reader, caches);
  const variables = lookups.get('VariableSpecifics') ?? [];
  const shown = names.map((_, rank) =>
    seriesOfPlace(series, rank).map(({ variable, days, ...counts }) => ({
      ...counts,
      variable: variables[variable]?.['VariableSpecificUUID'],
      days: days && [isoDateOfDay(days.first), isoDateOfDay(days.last)],
    })),
  );
  expect(shown).toEqual(ofPlace.map(plainSeries));
}

function plainSeries(records: readonly Item[]): readonly unknown[] {
  const variables = [...new Set(records.map((record) => String(record['VariableSpecificUUID'])))].sort();
  return variables.map((variable) => {
    const own = records.filter((record) => record['VariableSpecificUUID'] === variable).map(plainPeriod);
    const days = own.flatMap((period) => (period === undefined ? [] : [period]));
    const years = new Set(days.flatMap(([first, last]) => plainYear(first, last) ?? []));
    const ends = [
      days.map(([first]) => first).sort()[0],
      days
        .map(([, last]) => last)
        .sort()
        .at(-1),
    ];
    return { variable, records: own.length, years: years.size, days: days.length === 0 ? undefined : ends };
  });
}

/** D7, of a record as it is answered. */
function plainPeriod(record: Item): readonly [first: string, last: string] | undefined {
  const dates = ['TimeframeStart', 'TimeframeEnd'].flatMap(
    (name) => (record[name] as string | null)?.slice(0, 10) ?? [],
  );
  const [first, last = first] = dates.sort();
  if (first !== undefined && last !== undefined) return [first, last];
  const year = String(record['ReportYear']);
  return /^\d{4}$/.test(year) ? [`${year}-01-01`, `${year}-12-31`] : undefined;
}
