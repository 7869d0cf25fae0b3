// The forms that an answer can have, each with its media type and its writer.

import type { AnswerFormat } from '../query/paging-and-format';
import type { DataSetLayout } from '../records/data-sets';
import type { PlannedPage } from '../search/plan-page';
import { success, type Result } from '../values/result';
import type { Piece } from './page-texts';
import { writeCsv } from './write-csv';
import { writeGeoJson } from './write-geojson';
import { writeJson } from './write-json';

export interface AnswerWriter {
  /** As Accept names it. */
  readonly mediaType: string;
  /** As Content-Type says it. */
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
