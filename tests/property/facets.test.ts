// A facet counts what the operation answers with that value alone in its filter, and lists every value that finds
// something (D41).

import fc from 'fast-check';
import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import { plainRecords, type PlainRecord } from '../fixtures/plain-records';
import { filterValues, OPERATIONS, pathOf, plainMatches, type PlainQuery } from '../fixtures/plain-search';
import { foldGroup, GROUPINGS } from '../fixtures/plain-totals';
import { randomQuery, randomSubmission } from '../fixtures/random-submission';
import { createTestService } from '../fixtures/test-service';

const SEED = 20_260_309;

const service = createTestService();

const TIMES = /Year|Month|Decade|^SiteUUID$|^ReportingUnitUUID$/;

const facetNames = (kind: DataSetKind): readonly string[] => GROUPINGS[kind].filter((name) => !TIMES.test(name));

interface Facet {
  readonly Name: string;
  readonly Values: readonly { readonly Value: string; readonly Count: number }[];
  readonly MoreValues: number;
}

async function ask(path: string): Promise<Record<string, unknown>> {
  const { status, json, text } = await service.get(path);
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return json as Record<string, unknown>;
}

function withValue({ text = {}, ...query }: PlainQuery, name: string, values: readonly string[]): PlainQuery {
  const others = Object.fromEntries(Object.entries(text).filter(([filter]) => filter !== name));
  return { ...query, text: values.length === 0 ? others : { ...others, [name]: values } };
}

/** How many records there are for each folded value of a filter, over those that the other filters find. */
function plainCounts(name: string, records: readonly PlainRecord[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const usable = (value: string): boolean =>
    name === 'HUC8' ? /^\d{8}$/.test(value) : name === 'HUC12' ? /^\d{12}$/.test(value) : true;
  const isState = (value: string): boolean => name !== 'State' || ['UT', 'CO', 'NM'].includes(value.toUpperCase());
  for (const record of records) {
    const values = filterValues(record, name).filter((value) => usable(value) && isState(value));
    for (const value of new Set(values.map((each) => foldGroup(name, each))))
      counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

async function expectFacets(kind: DataSetKind, records: readonly PlainRecord[], query: PlainQuery): Promise<void> {
  const names = facetNames(kind);
  const facetsPath = pathOf(kind, query, names.map((name) => `Facet=${name}`).join('&'));
  const answer = await ask(facetsPath.replace(OPERATIONS[kind], `${OPERATIONS[kind]}/Facets`));
  expect(answer['TotalCount']).toBe((await ask(pathOf(kind, query)))[`Total${kind}Count`]);
  const facets = answer['Facets'] as readonly Facet[];
  expect(facets.map(({ Name }) => Name.toLowerCase())).toEqual(names.map((name) => name.toLowerCase()));
  for (const [index, name] of names.entries()) {
    const { Values = [], MoreValues } = facets[index] ?? {};
    const others = records.filter((record) => plainMatches(record, withValue(query, name, [])));
    const counted = Values.map(({ Value, Count }) => [foldGroup(name, Value), Count] as const);
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
    const path = pathOf(kind, withValue(query, name, [chosen.Value]));
    expect([path, (await ask(path))[`Total${kind}Count`]]).toEqual([path, chosen.Count]);
  }
}

test('counts are the totals of the operation, for random filters over random submissions', async () => {
  let queries = 0;
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: 4 })) {
    await service.load(submission);
    for (const kind of DATA_SET_KINDS) {
      const records = plainRecords(kind, submission);
      for (const query of fc.sample(randomQuery(kind), { seed: SEED, numRuns: 8 })) {
        await expectFacets(kind, records, query);
        queries++;
      }
    }
  }
  expect(queries).toBe(4 * 3 * 8);
});
