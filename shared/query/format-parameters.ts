// The format of an answer (ADR 0033), and that of an export (D46). A client that names none gets the first one.

import { createChoice, joinNames, type Parameter } from './parameter';

export const ANSWER_FORMATS = ['json', 'csv', 'geojson'] as const;

export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** Tables have no geometry. */
const TABLE_FORMATS = ['json', 'csv'] as const satisfies readonly AnswerFormat[];

/** A reader can tell from the end of such a file whether it is complete. */
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
