// Places as GeoJSON (RFC 7946): a feature for each, with the names of the CSV form as properties (D42, D52).

import type { PlaceKind } from '../../records/data-sets';
import { lookupIdentifiers } from '../../records/lookups';
import type { Item } from '../../records/record-references';
import { placeLayouts } from '../../records/places';
import type { Geometry } from '../../values/geometry';
import { numberAt } from '../../values/numbers';
import { copiedText } from '../../values/bytes/word-copying';
import { GeometryWriter, LYING_MEMBERS } from './feature-geometry';
import { PropertiesWriter } from './feature-members';
import { FeatureSizes } from './feature-sizes';
import { FeatureTextsWriter, type FeatureParts, type FeatureText } from './feature-texts';
import {
  listBytesOf,
  parseItems,
  type Piece,
  type ReadablePage,
  type SliceTexts,
  type WrittenPage,
} from '../page-texts';
import { columnValue, ORGANIZATION_COLUMNS, tableColumns, type ColumnValue } from '../table-columns';
import { featureId } from './feature-ids';
import { idStart, newMemory, organizationText, type FeatureContext } from './write-features';
import { placeGeometry } from '../write-geojson';

interface PlaceFeature {
  /** The same through all publishes: the organization and the identifier of the place. */
  readonly id: string;
  readonly geometry: Geometry | null;
  /** The columns of the CSV form, in their order; lists are lists. */
  readonly properties: Readonly<Record<string, ColumnValue>>;
  /** The place as the JSON answer has it. */
  readonly item: Item;
}

/** The features of a slice that `readPlacePage` read. */
function* placeFeatures(placeKind: PlaceKind, { organization, records }: SliceTexts): Iterable<PlaceFeature> {
  const columns = tableColumns[placeKind].record;
  const ofOrganization = ORGANIZATION_COLUMNS.map((name) => [name, organization[name]] as const);
  for (const item of parseItems(records)) {
    const ofPlace = columns.map((column) => [column.name, columnValue(item, column)] as const);
    yield {
      id: featureId(organization.OrganizationUUID, String(item[lookupIdentifiers[placeKind]])),
      geometry: placeGeometry(placeKind, item).geometry,
      properties: Object.fromEntries([...ofOrganization, ...ofPlace]),
      item,
    };
  }
}

/** Features of more than `mostBytes` are too large. */
export function writePlaceFeatures(placeKind: PlaceKind, page: ReadablePage, mostBytes: number): WrittenPage {
  const { total, records, slices } = page;
  const pieces: Piece[] = [
    `{"type":"FeatureCollection","numberMatched":${total},"numberReturned":${records},"features":[`,
  ];
  let written = 0;
  let bytes = 0;
  for (const slice of slices) {
    for (const { id, geometry, properties } of placeFeatures(placeKind, slice)) {
      const text = JSON.stringify({ type: 'Feature', id, geometry, properties });
      bytes += Buffer.byteLength(text);
      if (bytes > mostBytes) return { kind: 'too large', fitting: written };
      pieces.push(written === 0 ? text : `,${text}`);
      written++;
    }
  }
  pieces.push(']}');
  return { kind: 'pieces', pieces };
}

/** The places of a slice as OGC API - Features has them (D48); `readPlacePage` read it. */
export function placeFeaturesOf(
  placeKind: PlaceKind,
  { organization, records, source: release }: SliceTexts,
  { system, caches, allocate = newMemory, sizes = new FeatureSizes() }: FeatureContext,
): readonly FeatureText[] {
  const { recordMembers } = placeLayouts[placeKind];
  const lyingMembers = LYING_MEMBERS[placeKind];
  const named = [...lyingMembers, lookupIdentifiers[placeKind]];
  const name = `${organization.OrganizationUUID} ${placeKind}`;
  const writer = new FeatureTextsWriter(sizes.expected(name, records.byteLength), allocate);
  const { target } = writer;
  const source = { members: recordMembers, columns: tableColumns[placeKind].record };
  const properties = new PropertiesWriter(source, named, target);
  const { positions } = properties;
  const geometries = new GeometryWriter({ placeKind, source: release, system, caches }, target);
  const first = copiedText(`${organizationText(organization)},`);
  const idOfOrganization = idStart(organization);
  const text = listBytesOf(records, allocate);
  const { bytes } = text;
  const place = { bytes, positions, first: 0 };
  const [identifierStart, identifierEnd] = [2 * lyingMembers.length, 2 * lyingMembers.length + 1];
  const parts: FeatureParts = {
    writeId: () => {
      target.copyText(idOfOrganization);
      target.copyPart(text, numberAt(positions, identifierStart) + 1, numberAt(positions, identifierEnd));
    },
    writeGeometry: () =>
      geometries.write(place, () => bytes.toString('utf8', positions[identifierStart], positions[identifierEnd])),
    writeProperties: () => {
      target.copyText(first);
      properties.write(text);
    },
  };
  for (let at = 0; at < bytes.length; at++) {
    at = properties.locate(text, at);
    writer.add(parts);
  }
  sizes.became(name, records.byteLength, target.length);
  return writer.features();
}
