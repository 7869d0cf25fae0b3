// A page as GeoJSON (RFC 7946): a feature for each record and place of it (ADR 0033). Made from the same texts as the JSON answer.

import type { DataSetLayout } from '../records/data-sets';
import { identifiersIn, recordReferences, type Item } from '../records/record-references';
import type { PlannedPage, PageSlice } from '../search/plan-page';
import { digestNameOf } from '../values/digest';
import { failure, success, type Result } from '../values/result';
import { pieceBytes, type Piece } from './pieces';
import { FeaturePlaces } from './places-of-features';
import { parseItems, readSlice, type SliceTexts } from './read-slice';

/** A polygon stands in each feature: without a bound, 10,000 of a megabyte would take all memory there is. */
const MAX_MEGABYTES = 64;

/** A failure is a sentence about RecordCount. */
export async function writeGeoJson(layout: DataSetLayout, page: PlannedPage): Promise<Result<readonly Piece[]>> {
  const records = page.slices.reduce((sum, { numbers }) => sum + numbers.length, 0);
  const start = `{"type":"FeatureCollection","numberMatched":${page.total},"numberReturned":${records},"features":[`;
  const pieces: Piece[] = [start];
  let written = 0;
  let bytes = 0;
  for (const slice of page.slices) {
    for (const features of featuresOf(layout, slice, await readSlice(slice))) {
      bytes += features.reduce((sum, piece) => sum + pieceBytes(piece), 0);
      if (bytes > MAX_MEGABYTES * 1024 * 1024) return failure(tooLarge(written));
      if (written > 0) pieces.push(',');
      for (const piece of features) pieces.push(piece);
      written++;
    }
  }
  pieces.push(']}');
  return success(pieces);
}

/** The features of one record after the other, each as pieces. */
function* featuresOf(
  layout: DataSetLayout,
  slice: PageSlice,
  { records, lookups }: SliceTexts,
): Iterable<readonly Piece[]> {
  const { OrganizationUUID, OrganizationName, OrganizationState } = slice.reader.facts.organization;
  const organization = `,${JSON.stringify({ OrganizationUUID, OrganizationName, OrganizationState }).slice(1, -1)}`;
  const places = new FeaturePlaces(layout, parseItems(lookups.get(layout.placeKind)));
  const [placeReference] = recordReferences[layout.kind];
  for (const record of parseItems(records)) {
    const members = JSON.stringify(record).slice(0, -1);
    const key = keyOf(layout, OrganizationUUID, record);
    const identifiers = identifiersIn(record, placeReference);
    const ofRecord =
      identifiers.length === 0 ? [places.none] : identifiers.map((identifier) => places.find(identifier));
    yield ofRecord.flatMap(({ identifier, geometry, properties }, index) => [
      `${index === 0 ? '' : ','}{"type":"Feature","id":"${digestNameOf(key + identifier)}","geometry":`,
      geometry,
      `,"properties":${members}${organization}${properties}}}`,
    ]);
  }
}

/** The same for a record through all publishes, as long as it is the same record by its key. */
function keyOf({ kind, keyMembers }: DataSetLayout, organizationUuid: string, record: Item): string {
  // The uses of an amount are a set (submissions.md, 4).
  const values = keyMembers.map((name) => {
    const value = record[name];
    return Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value;
  });
  return JSON.stringify([organizationUuid, kind, values]);
}

function tooLarge(records: number): string {
  const advice = records === 0 ? 'ask for csv or json' : `ask for at most ${records}, or for csv or json`;
  return `gives more than ${MAX_MEGABYTES} MB of geometries: ${advice}`;
}
