// The properties and ids of features equal what a parser reads in the operations' JSON answers (D48, ADR 0033).
// Conditions match the records for which they are true in three-valued logic (D47, D53).

import fc from 'fast-check';
import type { Condition } from '../../shared/query/condition';
import { type FeatureCollection, featureCollections } from '../../shared/query/cql2/feature-collections';
import type { Queryable } from '../../shared/query/parameter';
import { DATA_SET_KINDS, type DataSetKind, dataSetLayouts } from '../../shared/records/data-sets';
import { buildRecordKey } from '../../shared/records/feature-ids';
import { lookupIdentifiers } from '../../shared/records/lookups';
import { type Item, readIdentifiers } from '../../shared/records/record-references';
import { readSlice } from '../../shared/render/read-page';
import { readColumnValue, type TableColumn, tableColumns } from '../../shared/render/table-columns';
import { openReleases } from '../../shared/search/open-releases';
import { planPage } from '../../shared/search/plan-page';
import { parseItems } from '../../shared/store/joined-fragments';
import { compareUtf8 } from '../../shared/values/compare-utf8';
import { digestContent } from '../../shared/values/digest';
import { buildLookups, siteAmount } from '../fixtures/handmade';
import { drawCondition, evaluatePlainly } from '../fixtures/plain-conditions';
import { findUseCategory, makeKeyOfAnswer, readPlainRecords } from '../fixtures/plain-records';
import { randomSubmission } from '../fixtures/random-submission';
import { chooseSeed, countCases } from '../fixtures/soak';
import { createTestService } from '../fixtures/test-service';

const SEED = 20_261_123;

const service = createTestService();

interface Feature {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

function property({ type }: TableColumn, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => String(one ?? ''));
  return type === 'date' && typeof value === 'string' ? value.slice(0, 10) : value;
}

/** Records have the plain category of their primary use, then the categories of the other uses (D63). */
function getCategories(kind: FeatureCollection['featureKind'], item: Item): Readonly<Record<string, unknown>> {
  if (kind === 'Sites' || kind === 'ReportingUnits') return {};
  // Answers have the declared types.
  const others = (item['BeneficialUses'] ?? item['BeneficialUseCategoryCV'] ?? []) as readonly unknown[];
  const names = others.map((use) => (typeof use === 'string' ? use : (use as Item)['BeneficialUseCategoryCV']));
  const uses = [item['PrimaryUseCategoryCV'], ...names].filter((use) => use !== null).map(String);
  return { UseCategoryCV: [...new Set(uses.flatMap((use) => findUseCategory(use) ?? []))] };
}

function getList(organization: Item, name: string): readonly Item[] {
  return organization[name] as readonly Item[]; // Answers have the declared types.
}

function expectedFeatures({ featureKind, operation }: FeatureCollection, organization: Item): readonly Feature[] {
  const { record: columns, joined } = tableColumns[featureKind];
  const layout = dataSetLayouts[operation.dataSet];
  const { OrganizationUUID, OrganizationName, OrganizationState } = organization;
  return getList(organization, featureKind).map((item) => {
    const own = columns.map((column) => [column.name, property(column, readColumnValue(item, column))] as const);
    const ofLookups = joined.flatMap(({ reference, columns: others }) => {
      const lookups = getList(organization, reference.lookups);
      const identifier = lookupIdentifiers[reference.lookups];
      const found = readIdentifiers(item, reference).map((id) => lookups.find((one) => one[identifier] === id));
      const getValue = (column: TableColumn): unknown =>
        reference.isList
          ? found.map((lookup) => String(readColumnValue(lookup, column) ?? ''))
          : property(column, readColumnValue(found[0], column));
      return others.map((column) => [column.name, getValue(column)] as const);
    });
    const properties = { OrganizationUUID, OrganizationName, OrganizationState };
    const findId = (): unknown => {
      if (operation.kind === 'places') return item[lookupIdentifiers[layout.placeKind]];
      if (operation.dataSet === 'WaterAllocations') return item['AllocationUUID'] ?? item['AllocationNativeID'];
      return digestContent(buildRecordKey(layout, String(OrganizationUUID), item));
    };
    const id = findId();
    return {
      id: `${String(OrganizationUUID)}~${String(id)}`,
      properties: { ...properties, ...Object.fromEntries([...own, ...ofLookups]), ...getCategories(featureKind, item) },
    };
  });
}

test('features of every collection have the properties, ids and order of the JSON answers', async () => {
  let compared = 0;
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: countCases(10, 0.3) })) {
    await service.load(submission);
    for (const collection of featureCollections) {
      const { json } = await service.get(`/ogc/collections/${collection.id}/items?limit=10000`);
      const { json: answer } = await service.get(`/${collection.operation.route}?RecordCount=10000`);
      const organizations = answer.Organizations as readonly Item[];
      const expected = organizations.flatMap((organization) => expectedFeatures(collection, organization));
      const features = (json.features as readonly Feature[]).map(({ id, properties }) => ({ id, properties }));
      expect({ collection: collection.id, features }).toEqual({ collection: collection.id, features: expected });
      expect(features.map(({ properties }) => Object.keys(properties))).toEqual(
        expected.map(({ properties }) => Object.keys(properties)),
      );
      compared += features.length;
    }
  }
  expect(compared).toBeGreaterThan(100);
});

/**
 * The values of a property that a comparison uses: a single value, or the items of a list, where an empty string means
 * no value.
 */
function getComparedValues(value: unknown, type: Queryable['type']): readonly unknown[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const present = all.filter((one) => one !== null && one !== undefined && one !== '');
  return type === 'date' ? present.map((date) => String(date).slice(0, 10)) : present;
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return compareUtf8(a, b);
  return Number(a) - Number(b);
}

/**
 * For each operator, tells whether at least one displayed value of a feature meets the comparison; false if there is no
 * value.
 */
const OPERATORS: Readonly<Record<string, (orders: readonly number[]) => boolean>> = {
  '=': (orders) => orders.includes(0),
  '<>': (orders) => orders.length > 0 && !orders.includes(0),
  '<': (orders) => orders.some((order) => order < 0),
  '<=': (orders) => orders.some((order) => order <= 0),
  '>': (orders) => orders.some((order) => order > 0),
  '>=': (orders) => orders.some((order) => order >= 0),
};

function literal(type: Queryable['type'], value: unknown): string {
  if (type === 'date') return `DATE('${String(value)}')`;
  return type === 'text' ? `'${String(value).replaceAll("'", "''")}'` : String(value);
}

/** The filters that do not match exactly the features whose property meets the comparison. */
async function differences(
  { id }: FeatureCollection,
  { name, type }: Queryable,
  features: readonly Feature[],
): Promise<readonly string[]> {
  // Names of queryables are compared ignoring letter case.
  const shown = Object.keys(features[0]?.properties ?? {}).find((one) => one.toLowerCase() === name.toLowerCase());
  if (shown === undefined) return [];
  const shownBy = ({ properties }: Feature): readonly unknown[] => getComparedValues(properties[shown], type);
  const wrong: string[] = [];
  const check = async (filter: string, isExpected: (values: readonly unknown[]) => boolean): Promise<void> => {
    const path = `/ogc/collections/${id}/items?limit=10000&filter=${encodeURIComponent(filter)}`;
    const { status, json, text } = await service.get(path);
    if (status !== 200) throw new Error(`${filter}: ${text}`);
    const found = new Set((json.features as readonly Feature[]).map((feature) => feature.id));
    if (features.some((feature) => found.has(feature.id) !== isExpected(shownBy(feature)))) wrong.push(filter);
  };
  const values = [...new Set(features.flatMap(shownBy))];
  if (values.length === 0) return wrong;
  for (const value of fc.sample(fc.constantFrom(...values), { seed: chooseSeed(SEED), numRuns: countCases(3, 0.5) })) {
    for (const [operator, isMet] of Object.entries(OPERATORS)) {
      const isExpected = (all: readonly unknown[]): boolean => isMet(all.map((one) => compareValues(one, value)));
      await check(`${name} ${operator} ${literal(type, value)}`, isExpected);
    }
  }
  await check(`${name} IS NULL`, (all) => all.length === 0);
  return wrong;
}

test('a queryable filters by the property with the same name, in every collection (D62)', async () => {
  for (const submission of fc.sample(randomSubmission, { seed: chooseSeed(SEED), numRuns: countCases(20, 0.05) })) {
    await service.load(submission);
    for (const collection of featureCollections) {
      const { json } = await service.get(`/ogc/collections/${collection.id}/items?limit=10000`);
      const features = json.features as readonly Feature[];
      for (const queryable of collection.queryables) {
        const wrong = await differences(collection, queryable, features);
        expect({ collection: collection.id, wrong }).toEqual({ collection: collection.id, wrong: [] });
      }
    }
  }
});

const CONDITIONS_SEED = 20_261_122;
async function keysMeeting(condition: Condition, kind: DataSetKind): Promise<readonly string[]> {
  const state = await service.store.currentState();
  const releases = await openReleases(service.service, state, kind, condition);
  const { slices } = await planPage(releases, condition, { startIndex: 0, recordCount: 10_000 });
  const pages = await Promise.all(slices.map((slice) => readSlice(slice, () => undefined)));
  return pages.flatMap(({ records }) => parseItems(records).map((item) => makeKeyOfAnswer(kind, item))).sort();
}

test('a condition matches the records for which it is true, and none for which it is false or unknown', async () => {
  for (const submission of fc.sample(randomSubmission, { seed: CONDITIONS_SEED, numRuns: countCases(8, 0.25) })) {
    await service.load(submission);
    for (const kind of DATA_SET_KINDS) {
      const records = readPlainRecords(kind, submission);
      for (const condition of fc.sample(drawCondition(kind), { seed: CONDITIONS_SEED, numRuns: 100 })) {
        const expected = records.filter((record) => evaluatePlainly(condition, record, kind) === true);
        expect({ condition, keys: await keysMeeting(condition, kind) }).toEqual({
          condition,
          keys: expected.map(({ key }) => key).sort(),
        });
      }
    }
  }
});

test('a pattern matches the records of all its matching values, in every spelling', async () => {
  const types = Array.from({ length: 60 }, (_, index) => `Type ${index}`);
  const sites = [...types, 'type 0', 'Other'].map((type, index) => ({ SiteUUID: `S${index}`, SiteTypeCV: type }));
  await service.load({
    ...buildLookups({ OrganizationUUID: 'UTwr' }),
    'sites.csv': sites,
    'sitespecificamounts.csv': sites.map(({ SiteUUID }) => siteAmount({ OrganizationUUID: 'UTwr', SiteUUID })),
  });
  const member = { kind: 'field', field: 'siteType' } as const;
  const countLike = async (pattern: string, isFolded: boolean): Promise<number> => {
    const condition: Condition = { kind: 'text', member, test: { kind: 'like', isFolded, pattern } };
    return (await keysMeeting(condition, 'SiteVariableAmounts')).length;
  };
  expect([await countLike('Type%', false), await countLike('type%', false), await countLike('type%', true)]).toEqual([
    60, 1, 61,
  ]);
});
