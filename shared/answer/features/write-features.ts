// Records as features of OGC API - Features (D48): flat properties under the names of the CSV form, with the types of
// the files (D44), one feature a record. They are cut out of the stored texts, which are never parsed (ADR 0098).

import { dataSetLayouts, type DataSetKind, type DataSetLayout } from '../../records/data-sets';
import type { Organization } from '../../records/organization';
import { recordReferences } from '../../records/record-references';
import type { SearchCaches } from '../../search/search-caches';
import type { CoordinateSystem } from '../../values/coordinate-systems';
import { visitObjects } from '../../values/json-members';
import { geometryText, LYING_MEMBERS, pointsText, type GeometrySource, type GeometryText } from './feature-geometry';
import { identifierTexts, joinedMembers, lookupTexts, type LookupTexts } from './feature-lookups';
import { PropertiesWriter, remembering, rememberingLast } from './feature-members';
import { bytesOf, joinPieces, listTextOf, type Piece, type SliceTexts } from '../page-texts';
import { featureId } from './feature-ids';
import { RecordKeys } from './record-keys';
import { ORGANIZATION_COLUMNS, tableColumns } from '../table-columns';

export interface FeatureText {
  /** As JSON. */
  readonly id: string;
  /** JSON, without the last brace: a single feature has links behind its properties. */
  readonly open: readonly Piece[];
  readonly bytes: number;
}

export interface FeatureContext {
  readonly system: CoordinateSystem;
  readonly caches: SearchCaches;
}

export function recordFeaturesOf(kind: DataSetKind, slice: SliceTexts, form: FeatureContext): readonly FeatureText[] {
  const layout = dataSetLayouts[kind];
  const { organization, records, lookups } = slice;
  const { record: columns, joined } = tableColumns[kind];
  const references = joined.map(({ reference }) => reference.member);
  const properties = new PropertiesWriter(layout.recordMembers, columns, [...references, ...idMembers(layout)]);
  const { memberText } = properties;
  // The texts of places say where they lie, too.
  const lying = LYING_MEMBERS[layout.placeKind];
  const cutLookups = joined.map(({ reference, columns: ofLookup }) => {
    const members = ofLookup.map(({ member }) => member);
    const before = reference.lookups === layout.placeKind ? lying : [];
    return lookupTexts(reference.lookups, [...before, ...members], lookups.get(reference.lookups));
  });
  const joins = joined.map((join, index) => {
    const first = join.reference.lookups === layout.placeKind ? lying.length : 0;
    return joinedMembers(layout, join, cutLookups[index] ?? new Map(), first);
  });
  const placeSlot = joined.findIndex(({ reference }) => reference.lookups === layout.placeKind);
  const geometryOf = geometryWriter(layout, cutLookups[placeSlot] ?? new Map(), { ...form, source: slice.source });
  const idOf = idWriter(layout, organization, (index) => memberText(references.length + index));
  const first = organizationText(organization);
  const features: FeatureText[] = [];
  const texts = listTextOf(records);
  visitObjects(texts, Object.keys(layout.recordMembers)[0] ?? '', (start, end) => {
    let members = `{${first},${properties.write(texts, start, end)}`;
    joins.forEach((join, slot) => (members += join(memberText(slot))));
    features.push(openFeature(idOf(), geometryOf(memberText(placeSlot)), `${members}}`));
  });
  return features;
}

/** Members with commas between them. */
export function organizationText(organization: Organization): string {
  return JSON.stringify(Object.fromEntries(ORGANIZATION_COLUMNS.map((name) => [name, organization[name]]))).slice(
    1,
    -1,
  );
}

/** `id` and `properties` are JSON. Counting the bytes joins the parts of the text, which then need no memory. */
export function openFeature(id: string, geometry: GeometryText, properties: string): FeatureText {
  const head = `{"type":"Feature","id":${id},"geometry":`;
  const tail = `,"properties":${properties}`;
  const open = typeof geometry === 'string' ? [head + geometry + tail] : [head, geometry, tail];
  return { id, open, bytes: bytesOf(open) };
}

export function openText({ open }: FeatureText): string {
  return joinPieces(open, (bytes) => Buffer.allocUnsafe(bytes)).toString();
}

/** Gives the JSON of an id, by the JSON of the identifier in the organization. */
export function idTextOf({ OrganizationUUID: organization }: Organization): (own: string) => string {
  const start = JSON.stringify(featureId(organization, '')).slice(0, -1);
  return (own) => start + own.slice(1);
}

function idMembers({ kind, keyMembers }: DataSetLayout): readonly string[] {
  return kind === 'WaterAllocations' ? ['AllocationUUID', 'AllocationNativeID'] : keyMembers;
}

/** Ids are stable over releases. `memberText` gives the members that `idMembers` names. */
function idWriter(
  layout: DataSetLayout,
  organization: Organization,
  memberText: (index: number) => string,
): () => string {
  const idText = idTextOf(organization);
  if (layout.kind === 'WaterAllocations') {
    return () => idText(memberText(0) === 'null' ? memberText(1) : memberText(0));
  }
  const keys = new RecordKeys(layout, organization.OrganizationUUID);
  const indexes = layout.keyMembers.map((_, index) => index);
  return () => idText(`"${keys.digestOf(indexes.map(memberText))}"`);
}

/** Gives the geometry of a record, a right's being its points, by the text of the member that names its places. */
function geometryWriter(
  layout: DataSetLayout,
  places: LookupTexts,
  { source, system, caches }: FeatureContext & Pick<SliceTexts, 'source'>,
): (text: string) => GeometryText {
  const { placeKind, kind } = layout;
  const [reference] = recordReferences[kind];
  const identifiersIn = identifierTexts(layout, reference);
  const lying: GeometrySource = { placeKind, source, system, caches };
  const make = (text: string): GeometryText => {
    const ids = identifiersIn(text);
    if (kind === 'WaterAllocations') {
      return pointsText(
        ids.flatMap((id) => [places.get(id) ?? []]),
        system,
      );
    }
    const [id = ''] = ids;
    const place = places.get(id);
    return place === undefined ? 'null' : geometryText(id, place.slice(0, LYING_MEMBERS[placeKind].length), lying);
  };
  return reference.within === undefined ? remembering(make) : rememberingLast(make);
}
