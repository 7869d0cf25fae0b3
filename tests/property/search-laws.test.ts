// Laws from a submission to an answer, over random small submissions (seeded): filters, pages, equal bytes, references
// that resolve (D24), CSV and GeoJSON with the same content as JSON (ADR 0033), and facets, which list every value with
// matches, each with the number of records that the operation returns for that value alone (D41).

import fc from 'fast-check';
import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import { AMOUNTS_FILES, makeKeyOfAnswer, type PlainRecord, readPlainRecords } from '../fixtures/plain-records';
import {
  getFold,
  listFilterValues,
  matchesPlainly,
  OPERATIONS,
  type PlainQuery,
  writePath,
} from '../fixtures/plain-search';
import { GROUPINGS } from '../fixtures/plain-totals';
import { drawQuery, randomSubmission } from '../fixtures/random-submission';
import { expectSameInAllFormats } from '../fixtures/same-in-all-formats';
import { countCases } from '../fixtures/soak';
import type { Row, Submission } from '../fixtures/submission';
import { createTestService } from '../fixtures/test-service';

type Item = Readonly<Record<string, unknown>>;
type Organization = Readonly<Record<string, readonly Item[] | undefined>>;

const SEED = 20_240_506;
const SUBMISSIONS = countCases(12, 0.25);

const service = createTestService();
const otherService = createTestService();

interface Page {
  readonly total: number;
  readonly items: readonly Item[];
  readonly text: string;
}

async function answerTo(path: string, from = service): Promise<Record<string, unknown> & { readonly text: string }> {
  const { status, json, text } = await from.get(path);
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return { ...(json as Record<string, unknown>), text };
}

async function ask(kind: DataSetKind, query: PlainQuery, page = 'RecordCount=10000', from = service): Promise<Page> {
  const { text, ...json } = await answerTo(writePath(kind, query, page), from);
  const organizations = json['Organizations'] as Readonly<Record<DataSetKind, readonly Item[]>>[];
  return { total: Number(json[`Total${kind}Count`]), items: organizations.flatMap((one) => one[kind]), text };
}

const kinds = fc.constantFrom(...DATA_SET_KINDS);

/** The lookups to which the records of a page refer, each once, in the order of identifiers or names. */
function collectReferences(kind: DataSetKind, organization: Organization): Readonly<Record<string, readonly string[]>> {
  const records = organization[kind] ?? [];
  const all = (pick: (record: Item) => readonly unknown[]): readonly string[] =>
    [...new Set(records.flatMap(pick))].filter((id) => typeof id === 'string').sort(byBytes);
  const sites = all((record) => [
    record['SiteUUID'],
    ...((record['Sites'] as Item[] | undefined) ?? []).map((site) => site['SiteUUID']),
  ]);
  const siteSources = (organization['Sites'] ?? []).flatMap((site) => site['WaterSourceUUIDs'] as string[]);
  return {
    VariableSpecifics: all((record) => [record['VariableSpecificUUID']]),
    Methods: all((record) => [record['MethodUUID']]),
    WaterSources: [...new Set([...all((record) => [record['WaterSourceUUID']]), ...siteSources])].sort(byBytes),
    BeneficialUses: all((record) => [...getUses(record), record['PrimaryUseCategoryCV']]),
    ...(kind === 'AggregatedAmounts'
      ? { ReportingUnits: all((record) => [record['ReportingUnitUUID']]) }
      : { Sites: sites }),
  };
}

function getUses(record: Item): readonly unknown[] {
  const uses = (record['BeneficialUses'] ?? record['BeneficialUseCategoryCV']) as readonly (string | Item)[];
  return uses.map((use) => (typeof use === 'string' ? use : use['BeneficialUseCategoryCV']));
}

function collectLookups(
  organization: Organization,
  names: readonly string[],
): Readonly<Record<string, readonly unknown[]>> {
  const identifiers: Readonly<Record<string, string>> = {
    VariableSpecifics: 'VariableSpecificUUID',
    Methods: 'MethodUUID',
    WaterSources: 'WaterSourceUUID',
    BeneficialUses: 'Name',
    Sites: 'SiteUUID',
    ReportingUnits: 'ReportingUnitUUID',
  };
  return Object.fromEntries(
    names.map((name) => [name, (organization[name] ?? []).map((item) => item[identifiers[name] ?? ''])]),
  );
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const TIMES = /Year|Month|Decade|^SiteUUID$|^ReportingUnitUUID$/;

const facetNames = (kind: DataSetKind): readonly string[] => GROUPINGS[kind].filter((name) => !TIMES.test(name));

interface Facet {
  readonly Name: string;
  readonly Values: readonly { readonly Value: string; readonly Count: number }[];
  readonly MoreValues: number;
}

function withValue({ text = {}, ...query }: PlainQuery, name: string, values: readonly string[]): PlainQuery {
  const others = Object.fromEntries(Object.entries(text).filter(([filter]) => filter !== name));
  return { ...query, text: values.length === 0 ? others : { ...others, [name]: values } };
}

/** The number of records for each folded value of a filter, among the records that the other filters match. */
function plainCounts(name: string, records: readonly PlainRecord[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const isUsable = (value: string): boolean => {
    if (name === 'HUC8') return /^\d{8}$/.test(value);
    if (name === 'HUC12') return /^\d{12}$/.test(value);
    return name !== 'State' || ['UT', 'CO', 'NM'].includes(value.toUpperCase());
  };
  for (const record of records) {
    const values = listFilterValues(record, name).filter(isUsable);
    for (const value of new Set(values.map(getFold(name)))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

async function expectFacets(kind: DataSetKind, records: readonly PlainRecord[], query: PlainQuery): Promise<void> {
  const names = facetNames(kind);
  const facetsPath = writePath(kind, query, names.map((name) => `Facet=${name}`).join('&'));
  const answer = await answerTo(facetsPath.replace(OPERATIONS[kind], `${OPERATIONS[kind]}/Facets`));
  expect(answer['TotalCount']).toBe((await answerTo(writePath(kind, query)))[`Total${kind}Count`]);
  const facets = answer['Facets'] as readonly Facet[];
  expect(facets.map(({ Name }) => Name.toLowerCase())).toEqual(names.map((name) => name.toLowerCase()));
  for (const [index, name] of names.entries()) {
    const { Values = [], MoreValues } = facets[index] ?? {};
    const others = records.filter((record) => matchesPlainly(record, withValue(query, name, [])));
    const counted = Values.map(({ Value, Count }) => [getFold(name)(Value), Count] as const);
    expect({ facetsPath, name, counts: new Map(counted) }).toEqual({
      facetsPath,
      name,
      counts: plainCounts(name, others),
    });
    expect([MoreValues, counted.length]).toEqual([0, new Map(counted).size]);
    expect(counted.map(([, count]) => count)).toEqual(counted.map(([, count]) => count).sort((a, b) => b - a));
  }
  for (const { Name, Values } of facets) {
    const [chosen] = Values.slice(-1);
    const name = names.find((each) => each.toLowerCase() === Name.toLowerCase()) ?? Name;
    if (chosen === undefined) continue;
    const path = writePath(kind, withValue(query, name, [chosen.Value]));
    expect([path, (await answerTo(path))[`Total${kind}Count`]]).toEqual([path, chosen.Count]);
  }
}

describe.each(fc.sample(randomSubmission, { seed: SEED, numRuns: SUBMISSIONS }))(
  'random submission %#',
  (submission) => {
    beforeAll(async () => {
      expect((await service.load(submission)).verdict).not.toBe('refused');
    });

    test('any combination of filters matches the records of a plain scan of the rows', async () => {
      for (const kind of DATA_SET_KINDS) {
        const records = readPlainRecords(kind, submission);
        for (const query of fc.sample(drawQuery(kind), { seed: SEED, numRuns: countCases(60, 0.5) })) {
          const { total, items } = await ask(kind, query);
          const expected = records.filter((record) => matchesPlainly(record, query)).map(({ key }) => key);
          expect({ query, keys: items.map((item) => makeKeyOfAnswer(kind, item)).sort() }).toEqual({
            query,
            keys: expected.sort(),
          });
          expect(total).toBe(expected.length);
        }
      }
    });

    test('pages of any size add up to the whole result, and every page has the total', async () => {
      const walks = fc
        .tuple(kinds, fc.integer({ min: 1, max: 25 }))
        .chain(([kind, size]) => fc.tuple(fc.constant(kind), fc.constant(size), drawQuery(kind)));
      for (const [kind, size, query] of fc.sample(walks, { seed: SEED, numRuns: 15 })) {
        const whole = await ask(kind, query);
        const tiled: Item[] = [];
        for (let start = 0; start < whole.total + size; start += size) {
          const page = await ask(kind, query, `StartIndex=${start}&RecordCount=${size}`);
          expect(page.total).toBe(whole.total);
          expect(page.items).toHaveLength(Math.max(0, Math.min(size, whole.total - start)));
          tiled.push(...page.items);
        }
        expect(tiled).toEqual(whole.items);
      }
    });

    test('every reference resolves and every lookup is used, on every page', async () => {
      for (const kind of DATA_SET_KINDS) {
        for (const query of fc.sample(drawQuery(kind), { seed: SEED, numRuns: 8 })) {
          for (const page of ['RecordCount=10000', 'RecordCount=3', 'RecordCount=5&StartIndex=4']) {
            const answer = await answerTo(writePath(kind, query, page));
            for (const organization of answer['Organizations'] as Organization[]) {
              const expected = collectReferences(kind, organization);
              expect(collectLookups(organization, Object.keys(expected))).toEqual(expected);
            }
          }
        }
      }
    });

    test('CSV and GeoJSON have the same content as the JSON answer, for any query and page', async () => {
      let records = 0;
      for (const kind of DATA_SET_KINDS) {
        for (const query of [{}, ...fc.sample(drawQuery(kind), { seed: SEED, numRuns: 4 })]) {
          for (const page of ['RecordCount=10000', 'RecordCount=7&StartIndex=3']) {
            records += await expectSameInAllFormats(service.get, kind, writePath(kind, query, page));
          }
        }
      }
      expect(records).toBeGreaterThan(50);
    });

    test('facets have the counts of the operation, for random filters', async () => {
      for (const kind of DATA_SET_KINDS) {
        const records = readPlainRecords(kind, submission);
        for (const query of fc.sample(drawQuery(kind), { seed: SEED, numRuns: 8 })) {
          await expectFacets(kind, records, query);
        }
      }
    });

    // This test loads other orders of the rows, so it runs last.
    test('equal requests give equal bytes, even from another store that loaded the same rows in another order', async () => {
      const files = Object.keys(submission).map((file) => [file, withoutLaterKeys(file, submission)] as const);
      await service.load(Object.fromEntries(files));
      await otherService.load(Object.fromEntries(files.map(([file, rows]) => [file, [...rows].reverse()])));
      expect((await otherService.store.currentState()).version).toBe((await service.store.currentState()).version);
      for (const kind of DATA_SET_KINDS) {
        for (const query of fc.sample(drawQuery(kind), { seed: SEED, numRuns: 8 })) {
          const { text } = await ask(kind, query);
          expect((await ask(kind, query)).text).toBe(text);
          expect((await ask(kind, query, undefined, otherService)).text).toBe(text);
        }
      }
    });
  },
);

/**
 * Of two rows with the same key, the first is kept. Later rows are left out here, so that the order of rows is
 * irrelevant.
 */
function withoutLaterKeys(file: string, submission: Submission): readonly Row[] {
  const rows = submission[file] ?? [];
  const kind = DATA_SET_KINDS.find((one) => AMOUNTS_FILES[one] === file);
  if (kind === undefined) return rows;
  const keys = rows.map((row) => readPlainRecords(kind, { ...submission, [file]: [row] })[0]?.key);
  return rows.filter((_, index) => keys.indexOf(keys[index]) === index);
}
