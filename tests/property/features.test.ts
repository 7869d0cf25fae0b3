// The properties and ids of features are what a parser reads in the JSON answers of the operations behind (D48,
// ADR 0098).

import fc from 'fast-check';
import { columnValue, tableColumns, type TableColumn } from '../../shared/render/table-columns';
import { recordKey } from '../../shared/render/feature-ids';
import { featureCollections, type FeatureCollection } from '../../shared/ogc/collections';
import { dataSetLayouts } from '../../shared/records/data-sets';
import { lookupIdentifiers } from '../../shared/records/lookups';
import { identifiersIn, type Item } from '../../shared/records/record-references';
import { digestNameOf } from '../../shared/values/digest';
import { randomSubmission } from '../fixtures/random-submission';
import { createTestService } from '../fixtures/test-service';

const SEED = 20_261_123;

const service = createTestService();

afterAll(() => service.close());

interface Feature {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

function property({ type }: TableColumn, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => String(one ?? ''));
  return type === 'date' && typeof value === 'string' ? value.slice(0, 10) : value;
}

function listOf(organization: Item, name: string): readonly Item[] {
  return organization[name] as readonly Item[]; // Answers are as they were declared.
}

function expectedFeatures({ featureKind, operation }: FeatureCollection, organization: Item): readonly Feature[] {
  const { record: columns, joined } = tableColumns[featureKind];
  const layout = dataSetLayouts[operation.dataSet];
  const { OrganizationUUID, OrganizationName, OrganizationState } = organization;
  return listOf(organization, featureKind).map((item) => {
    const own = columns.map((column) => [column.name, property(column, columnValue(item, column))] as const);
    const ofLookups = joined.flatMap(({ reference, columns: others }) => {
      const lookups = listOf(organization, reference.lookups);
      const identifier = lookupIdentifiers[reference.lookups];
      const found = identifiersIn(item, reference).map((id) => lookups.find((one) => one[identifier] === id));
      const valueOf = (column: TableColumn): unknown =>
        reference.isList
          ? found.map((lookup) => String(columnValue(lookup, column) ?? ''))
          : property(column, columnValue(found[0], column));
      return others.map((column) => [column.name, valueOf(column)] as const);
    });
    const properties = { OrganizationUUID, OrganizationName, OrganizationState };
    const id =
      operation.kind === 'places'
        ? item[lookupIdentifiers[layout.placeKind]]
        : operation.dataSet === 'WaterAllocations'
          ? (item['AllocationUUID'] ?? item['AllocationNativeID'])
          : digestNameOf(recordKey(layout, String(OrganizationUUID), item));
    return {
      id: `${String(OrganizationUUID)}~${String(id)}`,
      properties: { ...properties, ...Object.fromEntries([...own, ...ofLookups]) },
    };
  });
}

test('features of every collection have the properties and ids of the JSON answers, in the same order', async () => {
  let compared = 0;
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: 5 })) {
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
