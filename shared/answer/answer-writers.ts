// The forms that an answer can have, each with its media type and its writer, and the writer of JSON.

import type { AnswerFormat } from '../query/paging-and-format';
import type { DataSetLayout } from '../records/data-sets';
import type { PlannedPage, PageSlice } from '../search/plan-page';
import { success, type Result } from '../values/result';
import { readSlice, type Piece } from './page-texts';
import { writeCsv } from './write-csv';
import { writeGeoJson } from './write-geojson';

export interface AnswerWriter {
  readonly mediaType: string;
  readonly contentType: string;
  /** Gives the pieces of the body. A failure is a sentence about RecordCount. */
  readonly write: (layout: DataSetLayout, page: PlannedPage) => Promise<Result<readonly Piece[]>>;
}

export const answerWriters: Readonly<Record<AnswerFormat, AnswerWriter>> = {
  json: {
    mediaType: 'application/json',
    contentType: 'application/json',
    write: async (...page) => success(await writeJson(...page)),
  },
  csv: {
    mediaType: 'text/csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    write: async (...page) => success(await writeCsv(...page)),
  },
  geojson: {
    mediaType: 'application/geo+json',
    contentType: 'application/geo+json',
    write: writeGeoJson,
  },
};

/** A page as JSON (D21 to D24), joined from stored texts: only the organizations' own members are serialized. */
async function writeJson(layout: DataSetLayout, page: PlannedPage): Promise<readonly Piece[]> {
  const pieces: Piece[] = [`{"${layout.countName}":${page.total},"Organizations":[`];
  for (const [index, slice] of page.slices.entries()) {
    if (index > 0) pieces.push(',');
    await writeOrganization(layout, slice, pieces);
  }
  pieces.push(']}');
  return pieces;
}

/** Appends the object of one organization, its members in the order of the layout (D23). */
async function writeOrganization(layout: DataSetLayout, slice: PageSlice, pieces: Piece[]): Promise<void> {
  const { records, lookups } = await readSlice(slice);
  const { organization } = slice.reader.facts;
  layout.organization.forEach((part, index) => {
    pieces.push(index === 0 ? '{' : ',', `"${part.name}":`);
    if (part.kind === 'member') pieces.push(JSON.stringify(organization[part.name]));
    else pieces.push('[', part.kind === 'records' ? records : (lookups.get(part.name) ?? ''), ']');
  });
  pieces.push('}');
}
