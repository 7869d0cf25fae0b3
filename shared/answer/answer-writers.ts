// The forms that an answer can have, each with its media type and what writes it.

import type { AnswerFormat } from '../query/answer-format';
import type { DataSetLayout } from '../records/data-sets';
import type { PlannedPage } from '../search/plan-page';
import { success, type Result } from '../values/result';
import type { Piece } from './pieces';
import { writeCsv } from './write-csv';
import { writeGeoJson } from './write-geojson';
import { writePage } from './write-page';

export interface AnswerWriter {
  /** As Accept names it. */
  readonly mediaType: string;
  /** As Content-Type says it. */
  readonly contentType: string;
  /** What the body is joined from. A failure is a sentence about RecordCount. */
  readonly write: (layout: DataSetLayout, page: PlannedPage) => Promise<Result<readonly Piece[]>>;
}

export const answerWriters: Readonly<Record<AnswerFormat, AnswerWriter>> = {
  json: {
    mediaType: 'application/json',
    contentType: 'application/json',
    write: async (...page) => success(await writePage(...page)),
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
