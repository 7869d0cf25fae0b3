// Records as features of OGC API - Features (D48): flat properties under the names of the CSV form, with the types of
// the files (D44), one feature a record.

import { dataSetLayouts, type DataSetKind, type DataSetLayout } from '../records/data-sets';
import { lookupIdentifiers } from '../records/lookups';
import { identifiersIn, recordReferences, type Item } from '../records/record-references';
import { projectedGeometry, type CoordinateSystem } from '../values/coordinate-systems';
import { digestNameOf } from '../values/digest';
import type { Geometry } from '../values/geometry';
import { readPoint } from '../values/numbers';
import { itemsOf, type SliceItems, type SliceTexts } from './page-texts';
import { columnValue, joinedValues, ORGANIZATION_COLUMNS, tableColumns } from './table-columns';
import type { ColumnValue, TableColumn } from './table-columns';
import { placeGeometry, recordKey } from './write-geojson';

/** Between the organization and the identifier in it; an identifier may hold it, so the first one counts. */
export const ID_SEPARATOR = '~';

export interface FeatureText {
  readonly id: string;
  /** JSON, without the last brace: a single feature has links behind its properties. */
  readonly open: string;
}

export function* recordFeaturesOf(
  kind: DataSetKind,
  slice: SliceTexts,
  system: CoordinateSystem,
): Iterable<FeatureText> {
  const layout = dataSetLayouts[kind];
  const items = itemsOf(slice);
  const { organization, records, lookups } = items;
  const { record: columns, joined } = tableColumns[kind];
  const first = JSON.stringify(Object.fromEntries(ORGANIZATION_COLUMNS.map((name) => [name, organization[name]])));
  const joins = joined.map((join) => joinedValues(join, lookups, (values) => membersOf(join.columns, values)));
  const geometryText = geometryWriter(layout, items, system);
  for (const record of records) {
    const id = featureId(layout, organization.OrganizationUUID, record);
    const values = columns.map((column) => columnValue(record, column));
    const properties = [first.slice(0, -1), membersOf(columns, values), ...joins.map((join) => join(record))].join('');
    const open = `{"type":"Feature","id":${JSON.stringify(id)},"geometry":${geometryText(record)},"properties":${properties}}`;
    yield { id, open };
  }
}

/** Stable over releases. */
export function featureId(layout: DataSetLayout, organizationUuid: string, record: Item): string {
  const { AllocationUUID: uuid, AllocationNativeID: native } = record;
  const own = layout.kind === 'WaterAllocations' ? (uuid ?? native) : keyDigest(layout, organizationUuid, record);
  return `${organizationUuid}${ID_SEPARATOR}${String(own)}`;
}

/** As the files of a release have it in their column `Key`. */
function keyDigest(layout: DataSetLayout, organizationUuid: string, record: Item): string {
  return digestNameOf(recordKey(layout, organizationUuid, record));
}

/** JSON members, a comma before each; what is in a list is a text. */
export function membersOf(columns: readonly TableColumn[], values: readonly ColumnValue[]): string {
  return columns.map((column, index) => `,"${column.name}":${valueText(column, values[index] ?? null)}`).join('');
}

/** A list has a text for each item, so that lists beside one another have their items at the same places. */
function valueText({ type }: TableColumn, value: ColumnValue): string {
  if (Array.isArray(value)) return JSON.stringify(value.map((item) => String(item ?? '')));
  // Days of a timestamp are days in the files as well (D53).
  return JSON.stringify(type === 'date' && typeof value === 'string' ? value.slice(0, 10) : value);
}

/** The geometry of a record as JSON: that of its place, or of a right the points of its sites. */
function geometryWriter(
  layout: DataSetLayout,
  { lookups }: SliceItems,
  system: CoordinateSystem,
): (record: Item) => string {
  const { placeKind, kind } = layout;
  const [reference] = recordReferences[kind];
  const identifier = lookupIdentifiers[placeKind];
  const listed: readonly Item[] = lookups.get(placeKind) ?? [];
  const places = new Map<unknown, Item>(listed.map((item) => [item[identifier], item] as const));
  const written = new Map<string, string>();
  return (record) => {
    const identifiers = identifiersIn(record, reference);
    const key = identifiers.join('\n');
    let text = written.get(key);
    if (text === undefined) {
      const items = identifiers.flatMap((id) => {
        const item = places.get(id);
        return item === undefined ? [] : [item];
      });
      const [only] = items;
      const ofPlace = only === undefined ? null : placeGeometry(placeKind, only).geometry;
      const geometry = kind === 'WaterAllocations' ? pointsOf(items) : ofPlace;
      text = JSON.stringify(geometry === null ? null : projectedGeometry(geometry, system));
      written.set(key, text);
    }
    return text;
  };
}

function pointsOf(sites: readonly Item[]): Geometry | null {
  const coordinates = sites.flatMap(({ Longitude, Latitude }) => {
    const point = readPoint(textOf(Longitude), textOf(Latitude));
    return point === undefined ? [] : [[point.longitude, point.latitude]];
  });
  return coordinates.length === 0 ? null : { type: 'MultiPoint', coordinates };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
