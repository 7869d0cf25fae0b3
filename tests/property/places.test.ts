// Sites and reporting units equal those of a plain scan of the submitted rows, for random filters over random and real
// submissions (D42, D43). The search for names gives the results of such a scan in the same order (D60), and the filter
// of each result matches its records.

import fc from 'fast-check';
import { type Condition, joinAll } from '../../shared/query/condition';
import { type DataSetKind, dataSetLayouts } from '../../shared/records/data-sets';
import { writePlaceFeatures } from '../../shared/render/features';
import { readPlacePage } from '../../shared/render/read-places';
import { openPlaceReleases } from '../../shared/search/places/open-place-releases';
import { planPlaces } from '../../shared/search/places/plan-places';
import { CRS84 } from '../../shared/values/coordinate-systems';
import { drawCondition } from '../fixtures/plain-conditions';
import {
  collectNamedThings,
  type NamesQuery,
  normalizeItem,
  OPERATION_NAMES,
  searchNamesPlainly,
} from '../fixtures/plain-names';
import {
  findPlacesMeeting,
  type ListedPlace,
  type PlainPlacesQuery,
  searchPlacesPlainly,
} from '../fixtures/plain-places';
import { type PlainRecord, readPlainRecords, type Records } from '../fixtures/plain-records';
import { OPERATIONS, writePath } from '../fixtures/plain-search';
import { createQueries } from '../fixtures/queries-about';
import { drawQuery, randomSubmission } from '../fixtures/random-submission';
import { loadRealRecords } from '../fixtures/real-submissions';
import { readSitemap, SITE } from '../fixtures/sitemap-reading';
import { countCases, isSoak } from '../fixtures/soak';
import type { Row, Submission } from '../fixtures/submission';
import { createServiceForEachTest } from '../fixtures/test-service';

const SEED = 20_260_405;
const NAMES_SEED = 20_261_124;

const serviceOfTest = createServiceForEachTest();

type AmountsKind = Exclude<DataSetKind, 'WaterAllocations'>;

const PLACES = {
  SiteVariableAmounts: { path: '/v1/Sites', list: 'Sites', id: 'SiteUUID', type: 'SiteTypeCV' },
  AggregatedAmounts: {
    path: '/v1/ReportingUnits',
    list: 'ReportingUnits',
    id: 'ReportingUnitUUID',
    type: 'ReportingUnitTypeCV',
  },
} as const;

/** Publication dates and bounds of numbers are not filters of places. */
function placesPath(
  kind: AmountsKind,
  { text, from, to, box, boundaryName, minimumYears }: PlainPlacesQuery,
  page = '',
): string {
  const query = { text, from, to, box, boundaryName };
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  const years = minimumYears === undefined ? '' : `MinimumYears=${minimumYears}&`;
  return writePath(kind, given, `${years}${page}`).replace(OPERATIONS[kind], PLACES[kind].path);
}

type Item = Readonly<Record<string, unknown>>;

async function answered(kind: AmountsKind, path: string): Promise<{ total: number; places: readonly ListedPlace[] }> {
  const { list, id, type } = PLACES[kind];
  const { status, json, text } = await serviceOfTest().get(path);
  if (status !== 200) throw new Error(`${path}: ${text}`);
  const places = (json.Organizations as readonly Item[]).flatMap((organization) =>
    (organization[list] as readonly Item[]).map((item) => ({
      organization: String(organization['OrganizationUUID']),
      id: String(item[id]),
      type: item[type] as string | null,
      series: (item['Series'] as readonly Item[]).map(createSeries),
      allocations: (item['AllocationsCount'] ?? 0) as number,
    })),
  );
  return { total: json[`Total${list}Count`] as number, places };
}

function createSeries({
  VariableSpecificUUID,
  RecordsCount,
  YearsCount,
  FirstDay,
  LastDay,
}: Item): ListedPlace['series'][0] {
  // The compared values have these types.
  return { VariableSpecificUUID, RecordsCount, YearsCount, FirstDay, LastDay } as ListedPlace['series'][0];
}

async function expectPlaces(
  kind: AmountsKind,
  records: Readonly<Record<DataSetKind, readonly PlainRecord[]>>,
  query: PlainPlacesQuery,
): Promise<number> {
  const expected = searchPlacesPlainly(
    records[kind],
    kind === 'SiteVariableAmounts' ? records.WaterAllocations : [],
    query,
  );
  const path = placesPath(kind, query, 'RecordCount=10000');
  expect({ path, ...(await answered(kind, path)) }).toEqual({ path, total: expected.length, places: expected });
  const page = placesPath(kind, query, 'StartIndex=2&RecordCount=3');
  const slice = expected.slice(2, 5);
  expect({ page, ...(await answered(kind, page)) }).toEqual({ page, total: expected.length, places: slice });
  return expected.length;
}

const KINDS = ['SiteVariableAmounts', 'AggregatedAmounts'] as const;

const years = fc.oneof(fc.constant({}), fc.record({ minimumYears: fc.integer({ min: 1, max: 3 }) }));

test('random filters over random submissions match the places of a plain scan', async () => {
  let found = 0;
  const pairs = fc.tuple(randomSubmission, randomSubmission);
  for (const [submission, other] of fc.sample(pairs, { seed: SEED, numRuns: countCases(6, 0.3) })) {
    const amounts = without(submission, ['waterallocations.csv']);
    const rights = keepRights(other);
    await serviceOfTest().load(amounts);
    await serviceOfTest().load(rights);
    const records = {
      SiteVariableAmounts: readPlainRecords('SiteVariableAmounts', amounts),
      AggregatedAmounts: readPlainRecords('AggregatedAmounts', amounts),
      WaterAllocations: readPlainRecords('WaterAllocations', rights),
    };
    for (const kind of KINDS) {
      for (const [query, more] of fc.sample(fc.tuple(drawQuery(kind), years), {
        seed: SEED,
        numRuns: countCases(40, 0.625),
      })) {
        found += await expectPlaces(kind, records, { ...query, ...more });
      }
    }
  }
  expect(found).toBeGreaterThan(50);
});

/** The rights of a submission, with other identifiers for half of their sites. */
function keepRights(submission: Submission): Submission {
  const renamed = (id: string): string => id.replace(/S([135])/g, 'T$1');
  const rename = (row: Row): Row => ({ ...row, SiteUUID: renamed(String(row['SiteUUID'])) });
  const sites = submission['sites.csv'] ?? [];
  const rights = submission['waterallocations.csv'] ?? [];
  const others = without(submission, ['sitespecificamounts.csv', 'aggregatedamounts.csv']);
  return { ...others, 'sites.csv': sites.map(rename), 'waterallocations.csv': rights.map(rename) };
}

function without(submission: Submission, files: readonly string[]): Submission {
  return Object.fromEntries(Object.entries(submission).filter(([name]) => !files.includes(name)));
}

/** The ids of features of the places for which a condition is true. */
async function placesMeeting(
  kind: AmountsKind,
  condition: Condition,
  minimumYears?: number,
): Promise<readonly string[]> {
  const { service } = serviceOfTest();
  const { placeKind } = dataSetLayouts[kind];
  const asked =
    minimumYears === undefined ? condition : joinAll([condition, { kind: 'minimumYears', years: minimumYears }]);
  const releases = await openPlaceReleases(service, await service.store.currentState(), placeKind, asked);
  const { slices } = await planPlaces(releases, asked, { startIndex: 0, recordCount: 10_000 });
  const read = await readPlacePage(slices, { maxBytes: Infinity, reserve: () => true });
  if (read.kind !== 'texts') throw new Error(read.kind);
  const form = { system: CRS84, caches: service.caches };
  const features = read.slices.flatMap((slice) => [...writePlaceFeatures(placeKind, slice, form)]);
  return features.flatMap((feature) => (feature === undefined ? [] : [feature.id]));
}

test('a condition matches the places for which it is true, by their own values and by their amounts', async () => {
  let found = 0;
  const pairs = fc.tuple(randomSubmission, randomSubmission);
  for (const [submission, other] of fc.sample(pairs, { seed: SEED, numRuns: countCases(4, 0.5) })) {
    const amounts = without(submission, ['waterallocations.csv']);
    const rights = keepRights(other);
    await serviceOfTest().load(amounts);
    await serviceOfTest().load(rights);
    for (const kind of KINDS) {
      const ofRights = kind === 'SiteVariableAmounts' ? readPlainRecords('WaterAllocations', rights) : [];
      const records = { amounts: readPlainRecords(kind, amounts), rights: ofRights };
      const asked = fc.tuple(drawCondition(kind), fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }));
      for (const [condition, minimumYears] of fc.sample(asked, { seed: SEED, numRuns: countCases(100, 0.3) })) {
        const places = findPlacesMeeting(records, kind, condition, minimumYears);
        expect({ condition, minimumYears, places: await placesMeeting(kind, condition, minimumYears) }).toEqual({
          condition,
          minimumYears,
          places,
        });
        found += places.length;
      }
    }
  }
  expect(found).toBeGreaterThan(100);
});

test('every filter, the sitemap and random words over the real submissions agree with a plain scan', async () => {
  const records = await loadRealRecords(serviceOfTest());
  for (const kind of KINDS) {
    let found = 0;
    const queries = createQueries(kind, records[kind]).filter(({ bounds }) => bounds === undefined);
    const asked = queries.filter((_, index) => isSoak || index % 8 === 0);
    for (const [index, query] of asked.entries()) {
      if (index % 2 === 0) found += await expectPlaces(kind, records, query);
      else found += await expectPlaces(kind, records, { ...query, minimumYears: 10 });
    }
    expect(found).toBeGreaterThan(50);
  }
  await expectSitemap(records);
  await expectNames(records);
}, 300_000);

/** The sitemap lists each site, unit and right of the records once (D49). */
async function expectSitemap(records: Readonly<Record<DataSetKind, readonly PlainRecord[]>>): Promise<void> {
  const service = serviceOfTest();
  const listed = await readSitemap(service, service.service);
  const buildItemAddress = (collection: string, organization: string, id: string): string =>
    `${SITE}/ogc/collections/${collection}/items/${encodeURIComponent(`${organization}~${id}`)}`;
  const rights = records.WaterAllocations.map(({ organization, allocationUuid, allocationNativeId }) =>
    buildItemAddress('allocations', organization, allocationUuid ?? allocationNativeId ?? ''),
  );
  const places = KINDS.flatMap((kind) =>
    searchPlacesPlainly(records[kind], kind === 'SiteVariableAmounts' ? records.WaterAllocations : [], {}).map(
      ({ organization, id }) => buildItemAddress(COLLECTIONS[kind], organization, id),
    ),
  );
  expect(listed.map(({ address }) => address).sort()).toEqual([...rights, ...places].sort());
}

const COLLECTIONS = { SiteVariableAmounts: 'sites', AggregatedAmounts: 'reporting-units' } as const;

interface Found {
  readonly Filter: string;
  readonly RecordsCounts: Readonly<Record<(typeof OPERATION_NAMES)[DataSetKind], number>>;
}

async function find(path: string): Promise<{ readonly total: number; readonly found: readonly Found[] }> {
  const { status, json, text } = await serviceOfTest().get(path);
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return { total: json.TotalFoundCount as number, found: json.Found as readonly Found[] };
}

/** Beginnings of words in names and identifiers, whole words, and words that do not occur. */
function randomQueries(texts: readonly string[]): fc.Arbitrary<NamesQuery> {
  const cut = fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 12 }));
  const beginnings = fc
    .tuple(fc.constantFrom(...texts), fc.array(cut, { minLength: 1, maxLength: 3 }))
    .map(([text, cuts]) => {
      const words = text.split(/[^\p{L}\p{N}]+/u).filter((one) => one !== '');
      return cuts
        .map(([word, letters]) =>
          Array.from(words[word % words.length] ?? '')
            .slice(0, letters)
            .join(''),
        )
        .join(' ');
    });
  const text = fc.oneof(
    { weight: 4, arbitrary: beginnings },
    { weight: 2, arbitrary: fc.constantFrom(...texts) },
    { weight: 1, arbitrary: fc.constantFrom('zzz', "O'Neil", 'b', 'é', '1') },
  );
  const kinds = fc.subarray(['Site', 'ReportingUnit', 'Right', 'Owner', 'County', 'HUC8', 'Use', 'Organization']);
  const state = fc.option(fc.constantFrom('UT', 'CO', 'OK'), { nil: undefined, freq: 4 });
  return fc.record({ text, kinds: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, kinds), state });
}

async function expectAsPlain(records: Records, names: ReadonlyMap<string, string>, numRuns: number): Promise<number> {
  const things = collectNamedThings(records, names);
  const texts = things.flatMap(({ name, identifier }) => [name ?? '', identifier ?? '']);
  const readable = texts.filter((text) => /[\p{L}\p{N}]/u.test(text));
  let total = 0;
  for (const query of fc.sample(randomQueries(readable), { seed: NAMES_SEED, numRuns })) {
    const parameters = new URLSearchParams({ Query: query.text, RecordCount: '100' });
    for (const kind of query.kinds) parameters.append('Kind', kind);
    if (query.state !== undefined) parameters.append('State', query.state);
    const expected = searchNamesPlainly(things, query);
    const path = `/v1/Find?${parameters.toString()}`;
    const answer = await find(path);
    const found = answer.found.map((item) => normalizeItem({ ...item }));
    expect({ path, total: answer.total, found }).toEqual({
      path,
      total: expected.length,
      found: expected.slice(0, 100),
    });
    const page = await find(`${path.replace('RecordCount=100', 'RecordCount=3')}&StartIndex=2`);
    expect(page.found).toEqual(answer.found.slice(2, 5));
    total += expected.length;
  }
  return total;
}

const SITE_NAMES = ['Bear River', "O'Neil Ditch", 'Bear Río upper', 'ONEIL DITCH', 'Upper Bear-River', '', 'Well 7'];

/** Sites and units with names; each county has one spelling. */
function named(submission: Submission): Submission {
  const plainCounty = (text: string | number | undefined): string => String(text ?? '').replace(/ county$/i, '');
  const sites = submission['sites.csv']?.map((row, at): Row => {
    const own = { SiteName: SITE_NAMES[at % SITE_NAMES.length] ?? '', SiteNativeID: `00-${at % 4}` };
    return { ...row, ...own, County: plainCounty(row['County']) };
  });
  const units = submission['reportingunits.csv']?.map((row): Row => ({
    ...row,
    ReportingUnitName: plainCounty(row['ReportingUnitName']),
  }));
  return { ...submission, 'sites.csv': sites ?? [], 'reportingunits.csv': units ?? [] };
}

test('searches for random words in random submissions find the names that a plain scan finds', async () => {
  let total = 0;
  for (const submission of fc.sample(randomSubmission, { seed: NAMES_SEED, numRuns: countCases(6, 0.3) }).map(named)) {
    await serviceOfTest().load(submission);
    const records = {
      SiteVariableAmounts: readPlainRecords('SiteVariableAmounts', submission),
      AggregatedAmounts: readPlainRecords('AggregatedAmounts', submission),
      WaterAllocations: readPlainRecords('WaterAllocations', submission),
    };
    const [organization] = submission['organizations.csv'] ?? [];
    const names = new Map([[String(organization?.['OrganizationUUID']), String(organization?.['OrganizationName'])]]);
    total += await expectAsPlain(records, names, countCases(250, 0.25));
  }
  expect(total).toBeGreaterThan(100);
});

/** Searches for random words. The filter of each result must match the number of records that the result states. */
async function expectNames(records: Records): Promise<void> {
  const { json } = await serviceOfTest().get('/v1/Inventory');
  const organizations = json.Organizations as readonly Record<'OrganizationUUID' | 'OrganizationName', string>[];
  const names = new Map(organizations.map((one) => [one.OrganizationUUID, one.OrganizationName]));
  expect(await expectAsPlain(records, names, countCases(1500, 0.08))).toBeGreaterThan(1500);
  const kinds = ['Site', 'ReportingUnit', 'Right', 'Owner', 'County', 'HUC8', 'HUC12', 'Use', 'Variable'];
  for (const kind of [...kinds, 'Organization']) {
    for (const query of ['a', 'c', '1', 'w']) {
      const { found } = await find(`/v1/Find?Query=${query}&Kind=${kind}&RecordCount=2`);
      for (const { Filter, RecordsCounts } of found) {
        for (const [dataSet, operation] of Object.entries(OPERATION_NAMES)) {
          const count = RecordsCounts[operation];
          if (count === 0) continue;
          const answer = await serviceOfTest().get(`/v1/${operation}?${Filter}&RecordCount=1`);
          expect({ Filter, total: answer.json[`Total${dataSet}Count`] }).toEqual({ Filter, total: count });
        }
      }
    }
  }
}
