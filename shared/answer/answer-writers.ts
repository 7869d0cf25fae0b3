// The forms that an answer can have, each with its content type, its bounds and its writer, and the writer of JSON.

import type { AnswerFormat } from '../query/paging-and-format';
import type { AnswerLayout, DataSetLayout } from '../records/data-sets';
import { MEDIA_TYPES } from '../values/media-types';
import type { Piece, ReadablePage, SliceTexts, WrittenPage } from './page-texts';
import { writeCsv } from './write-csv';
import { writeGeoJson } from './write-geojson';

export interface AnswerWriter {
  readonly contentType: string;
  /** About how many times the bytes of the texts are in memory while the body is made of them. */
  readonly memoryFactor: number;
  /** `mostBytes` bounds the rows or features; JSON has little but the texts, which are bounded already. */
  readonly write: (layout: DataSetLayout, page: ReadablePage, mostBytes: number) => WrittenPage;
}

export const answerWriters: Readonly<Record<AnswerFormat, AnswerWriter>> = {
  json: { contentType: MEDIA_TYPES.json, memoryFactor: 1, write: writeJson },
  csv: { contentType: `${MEDIA_TYPES.csv}; charset=utf-8; header=present`, memoryFactor: 4, write: writeCsv },
  geojson: { contentType: MEDIA_TYPES.geojson, memoryFactor: 4, write: writeGeoJson },
};

const MEGABYTE = 1024 * 1024;

/** Bounds the texts that a page is made from, and the rows and features made of them (ADR 0054). */
export const PAGE_BYTES: Readonly<Record<AnswerFormat, number>> = {
  json: 256 * MEGABYTE,
  csv: 64 * MEGABYTE,
  geojson: 64 * MEGABYTE,
};

/** A page as JSON (D21 to D24), joined from stored texts: only the organizations' own members are serialized. */
export function writeJson(layout: AnswerLayout, { total, slices }: ReadablePage): WrittenPage {
  const pieces: Piece[] = [`{"${layout.countName}":${total},"Organizations":[`];
  for (const [index, slice] of slices.entries()) {
    if (index > 0) pieces.push(',');
    writeOrganization(layout, slice, pieces);
  }
  pieces.push(']}');
  return { kind: 'pieces', pieces };
}

/** Appends the object of one organization, its members in the order of the layout (D23). */
function writeOrganization(layout: AnswerLayout, texts: SliceTexts, pieces: Piece[]): void {
  const { organization, records, lookups } = texts;
  layout.organization.forEach((part, index) => {
    pieces.push(index === 0 ? '{' : ',', `"${part.name}":`);
    if (part.kind === 'member') pieces.push(JSON.stringify(organization[part.name]));
    else pieces.push('[', part.kind === 'records' ? records : (lookups.get(part.name) ?? ''), ']');
  });
  pieces.push('}');
}
