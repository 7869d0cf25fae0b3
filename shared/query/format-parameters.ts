// The parameters for the format of an answer (ADR 0033) and of an export (D46). The first format of a list is the
// default.

import { createChoice, joinNames, type Parameter } from './parameter';

export const ANSWER_FORMATS = ['json', 'csv', 'geojson'] as const;

export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** Formats of tables, which have no geometry. */
const TABLE_FORMATS = ['json', 'csv'] as const satisfies readonly AnswerFormat[];

/** Formats whose end shows whether the file is complete. */
export const EXPORT_FORMATS = ['parquet', 'csv.gz'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface FormatParameter<Kind extends string, Format extends string> extends Parameter<Format> {
  readonly kind: Kind;
  readonly formats: readonly Format[];
}

export const answerFormat = createFormatParameter('format', ANSWER_FORMATS, 'csv');

export const tableFormat = createFormatParameter<'format', AnswerFormat>('format', TABLE_FORMATS, 'csv');

export const exportFormat = createFormatParameter('exportFormat', EXPORT_FORMATS, 'parquet');

function createFormatParameter<Kind extends string, Format extends string>(
  kind: Kind,
  formats: readonly Format[],
  example: Format,
): FormatParameter<Kind, Format> {
  return {
    kind,
    name: 'format',
    type: 'string',
    meaning: `Format of the answer: ${joinNames(formats)}. Without it, the header Accept decides.`,
    example,
    ...createChoice(formats.map((format) => [format, format] as const)),
    formats,
  };
}
