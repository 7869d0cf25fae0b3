// Writes records and places as features of OGC API - Features (D48). A feature has flat properties, named as in the CSV
// format and typed as in the files (D44).

import { type DataSetKind, dataSetLayouts, type PlaceKind } from '../records/data-sets';
import { buildFeatureId, buildRecordId } from '../records/feature-ids';
import { lookupIdentifiers } from '../records/lookups';
import { type Item, readIdentifiers, recordReferences } from '../records/record-references';
import { categorizeUse } from '../records/use-categories';
import { giveWayIfSliceOver } from '../store/deadline';
import { iterateItems } from '../store/joined-fragments';
import { getOrAdd } from '../values/maps';
import { createGeometryWriter, type FeatureContext, writePlaceGeometry } from './feature-geometry';
import { writeFeature, writeOrganizationProperties } from './feature-json';
import { indexLookupsInSteps, type SliceTexts } from './read-page';
import {
  type ColumnValue,
  createJoinWriter,
  type JoinedColumns,
  readColumnValue,
  type TableColumn,
  tableColumns,
  USE_CATEGORY,
} from './table-columns';

export interface FeatureText {
  readonly id: string;
  /** JSON. */
  readonly text: string;
}

/** An undefined item marks a step without a feature, such as parsing. */
export type FeatureSteps = Iterable<FeatureText | undefined>;

/** Collects the features. Gives way between the steps. Throws DeadlinePassedError. */
export async function collectFeatures(steps: FeatureSteps): Promise<readonly FeatureText[]> {
  const features: FeatureText[] = [];
  for (const feature of steps) {
    await giveWayIfSliceOver();
    if (feature !== undefined) features.push(feature);
  }
  return features;
}

/** Writes one feature for each record of a slice. */
export function* writeRecordFeatures(kind: DataSetKind, slice: SliceTexts, context: FeatureContext): FeatureSteps {
  const layout = dataSetLayouts[kind];
  const { record: columns, joined } = tableColumns[kind];
  const { organization } = slice;
  const lookups = yield* indexLookupsInSteps(slice);
  const organizationMembers = writeOrganizationProperties(organization);
  const writeProperties = createPropertiesWriter(columns);
  const joins = joined.map((join) => createJoinWriter(join, lookups, (values) => writeJoinedProperties(join, values)));
  const writeCategories = createUseCategoriesWriter(kind);
  const writeGeometry = createGeometryWriter(layout, lookups, { ...context, source: slice.source });
  for (const record of iterateItems(slice.records)) {
    let properties = `${organizationMembers},${writeProperties(record)}`;
    for (const join of joins) properties += join(record);
    properties += writeCategories(record);
    const id = buildRecordId(layout, organization.OrganizationUUID, record);
    yield { id, text: writeFeature(id, yield* writeGeometry(record), properties) };
  }
}

/** Writes one feature for each place of a slice that `readPlacePage` has read. */
export function* writePlaceFeatures(placeKind: PlaceKind, slice: SliceTexts, context: FeatureContext): FeatureSteps {
  const { organization, records, source } = slice;
  const organizationMembers = writeOrganizationProperties(organization);
  const writeProperties = createPropertiesWriter(tableColumns[placeKind].record);
  for (const place of iterateItems(records)) {
    const id = buildFeatureId(organization.OrganizationUUID, String(place[lookupIdentifiers[placeKind]]));
    const geometry = yield* writePlaceGeometry(placeKind, place, { ...context, source });
    yield { id, text: writeFeature(id, geometry, `${organizationMembers},${writeProperties(place)}`) };
  }
}

/** Returns a function that writes the columns of an object as JSON members separated by commas. */
function createPropertiesWriter(columns: readonly TableColumn[]): (item: Item) => string {
  const blank = Object.fromEntries(columns.map(({ name }): [string, ColumnValue] => [name, null]));
  return (item) => {
    // Copying an object that already has all members is faster than adding them one by one.
    const properties = { ...blank };
    for (const column of columns) properties[column.name] = toPropertyValue(readColumnValue(item, column), column);
    return JSON.stringify(properties).slice(1, -1);
  };
}

/** Writes the joined columns of a record as JSON members, with a comma before each. */
function writeJoinedProperties({ columns }: JoinedColumns, values: readonly ColumnValue[]): string {
  const members = columns.map((column, index) => {
    return `,"${column.name}":${JSON.stringify(toPropertyValue(values[index] ?? null, column))}`;
  });
  return members.join('');
}

/**
 * Writes missing list items as empty strings, so that parallel lists stay aligned. Cuts timestamps in date columns to
 * days, as in files (D53).
 */
function toPropertyValue(value: ColumnValue, { type }: TableColumn): ColumnValue {
  if (typeof value === 'object' && value !== null) return value.map((item) => String(item ?? ''));
  return type === 'date' && typeof value === 'string' ? value.slice(0, 'YYYY-MM-DD'.length) : value;
}

/** Returns a function that writes the use categories of a record (D63) as a JSON member, with a comma before it. */
function createUseCategoriesWriter(kind: DataSetKind): (record: Item) => string {
  const reference = recordReferences[kind].find(({ lookups }) => lookups === 'BeneficialUses');
  const texts = new Map<string, string>();
  return (record) => {
    const primary = record['PrimaryUseCategoryCV'] as string | null; // The declared type of the member.
    const uses = [...(primary === null ? [] : [primary]), ...(reference ? readIdentifiers(record, reference) : [])];
    return getOrAdd(texts, uses.join('\n'), () => {
      const categories = new Set(uses.flatMap((use) => categorizeUse(use) ?? []));
      return `,"${USE_CATEGORY.name}":${JSON.stringify([...categories])}`;
    });
  };
}
