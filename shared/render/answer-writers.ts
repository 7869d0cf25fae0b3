// The formats of an answer, each with its content type, its limits and its writer.

import type { AnswerFormat } from '../query/format-parameters';
import type { AnswerLayout, DataSetLayout } from '../records/data-sets';
import { giveWayIfSliceOver } from '../store/deadline';
import { parseItems } from '../store/joined-fragments';
import type { JoinedFragments } from '../store/port';
import { MEDIA_TYPES } from '../values/media-types';
import type { WrittenPage } from './join-texts';
import type { ReadablePage, SliceTexts } from './read-page';
import { writeCsv } from './write-csv';
import { writeGeoJson } from './write-geojson';

export interface AnswerWriter {
  readonly contentType: string;
  /** Memory needed to write the body, as a multiple of the size of the stored texts. */
  readonly memoryFactor: number;
  /**
   * `maxBytes` limits the rows or features. It does not apply to JSON, which consists of stored texts that were already
   * limited.
   */
  readonly write: (layout: AnswerLayout, page: ReadablePage, maxBytes: number) => WrittenPage | Promise<WrittenPage>;
}

export const answerWriters: Readonly<Record<AnswerFormat, AnswerWriter>> = {
  json: { contentType: MEDIA_TYPES.json, memoryFactor: 1, write: writeJson },
  csv: { contentType: `${MEDIA_TYPES.csv}; charset=utf-8; header=present`, memoryFactor: 4, write: writeCsv },
  geojson: { contentType: MEDIA_TYPES.geojson, memoryFactor: 4, write: writeGeoJson },
};

const MEGABYTE = 1024 * 1024;

/** Limits the texts of a page, and the rows or features written from them (ADR 0054). */
export const MAX_PAGE_BYTES: Readonly<Record<AnswerFormat, number>> = {
  json: 256 * MEGABYTE,
  csv: 64 * MEGABYTE,
  geojson: 64 * MEGABYTE,
};

/** A segment of a body. Stored texts are copied once, into the body. */
type BodySegment = string | JoinedFragments;

/**
 * Writes a page as JSON (D21 to D24), joined from stored texts. Only the members of the organizations are serialized.
 */
async function writeJson(layout: AnswerLayout, { total, slices }: ReadablePage): Promise<WrittenPage> {
  const segments: BodySegment[] = [`{"${layout.countName}":${total},"Organizations":[`];
  for (const [index, slice] of slices.entries()) {
    if (index > 0) segments.push(',');
    segments.push(...buildOrganizationSegments(layout, slice));
  }
  segments.push(']}');
  return { kind: 'body', body: await joinSegments(segments) };
}

/** Builds the object of one organization, with its members in the order of the layout (D23). */
function buildOrganizationSegments(
  layout: AnswerLayout,
  { organization, records, lookups }: SliceTexts,
): readonly BodySegment[] {
  const members = layout.organization.flatMap((member, index): readonly BodySegment[] => {
    const name = `${index === 0 ? '{' : ','}"${member.name}":`;
    if (member.kind === 'member') return [name, JSON.stringify(organization[member.name])];
    return [name, '[', member.kind === 'records' ? records : (lookups.get(member.name) ?? ''), ']'];
  });
  return [...members, '}'];
}

/**
 * Joins the segments. Gives way before large ones, because the sites of a page may take tens of megabytes. Throws
 * DeadlinePassedError.
 */
async function joinSegments(segments: readonly BodySegment[]): Promise<Buffer> {
  const countBytes = (segment: BodySegment): number =>
    typeof segment === 'string' ? Buffer.byteLength(segment) : segment.byteLength;
  const body = Buffer.allocUnsafe(segments.reduce((sum, segment) => sum + countBytes(segment), 0));
  let offset = 0;
  for (const segment of segments) {
    if (typeof segment === 'string') {
      body.write(segment, offset);
    } else {
      if (segment.byteLength > MEGABYTE) await giveWayIfSliceOver();
      segment.copyTo(body, offset);
    }
    offset += countBytes(segment);
  }
  return body;
}

/** Writes the keys of a page of removed records as JSON (D37), with the same member names as in records. */
export function writeRemoved({ keyMembers }: DataSetLayout, { total, slices }: ReadablePage): WrittenPage {
  const texts = slices.flatMap(({ organization: { OrganizationUUID }, records }) =>
    parseItems(records).map((record) => {
      const Key = Object.fromEntries(keyMembers.map((name) => [name, record[name] ?? null]));
      return JSON.stringify({ OrganizationUUID, Key });
    }),
  );
  return { kind: 'body', body: Buffer.from(`{"TotalRemovedCount":${total},"Removed":[${texts.join()}]}`) };
}
