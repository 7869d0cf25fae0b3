// Parameters that every operation has and that change nothing about which records match: paging (D5, D18), the data
// version (D33) and the form of the answer (ADR 0033). Each may stand once (D3).

import type { NumberColumn } from '../records/data-sets';
import { DIGEST_NAME } from '../values/digest';
import { readInteger } from '../values/numbers';
import { failure, type Result, success } from '../values/result';
import { createChoice, type ConditionFilter, joinNames, type Parameter } from './parameter';

/** The bounds of a page, in records (service.md, Limits). */
export const RECORD_COUNT = { minimum: 1, maximum: 10_000, default: 1_000 } as const;

/** A client that names no format gets the first one. */
export const ANSWER_FORMATS = ['json', 'csv', 'geojson'] as const;

export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** The forms of an export (D46): their ends show that they are whole. A client that names none gets the first one. */
export const EXPORT_FORMATS = ['parquet', 'csv.gz'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

interface PageParameter extends Parameter<number> {
  readonly kind: 'startIndex' | 'recordCount';
  readonly defaultValue: number;
}

type DataVersionParameter = Parameter<string> & { readonly kind: 'dataVersion' };

interface FormatParameter<Kind extends string, Format extends string> extends Parameter<Format> {
  readonly kind: Kind;
  readonly formats: readonly Format[];
}

/** By what the records of each organization are ordered (D36, D61): an effective day (D7), a number, or the owner. */
export interface Order {
  readonly key: 'firstDay' | 'lastDay' | 'owner' | NumberColumn;
  readonly isDescending: boolean;
}

const ORDER_KEYS = {
  TimeframeStart: 'firstDay',
  TimeframeEnd: 'lastDay',
  Amount: 'amount',
  AllocationPriorityDate: 'firstDay',
  AllocationFlow_CFS: 'flow',
  AllocationVolume_AF: 'volume',
  AllocationOwner: 'owner',
} as const satisfies Readonly<Record<string, Order['key']>>;

export type OrderParameter = Parameter<Order> & { readonly kind: 'order' };

export type CommonParameter =
  | PageParameter
  | OrderParameter
  | DataVersionParameter
  | FormatParameter<'format', AnswerFormat>
  | FormatParameter<'exportFormat', ExportFormat>;

/** The forms of tables, which have no places. */
const TABLE_FORMATS = ['json', 'csv'] as const satisfies readonly AnswerFormat[];

export const startIndex: PageParameter = {
  kind: 'startIndex',
  ...single('StartIndex', '0-based index of the first record.', '1000'),
  ...integerBetween(0, Number.MAX_SAFE_INTEGER),
  defaultValue: 0,
};

export const recordCount: PageParameter = {
  kind: 'recordCount',
  ...single('RecordCount', 'Number of records in the answer.', '100'),
  ...integerBetween(RECORD_COUNT.minimum, RECORD_COUNT.maximum),
  defaultValue: RECORD_COUNT.default,
};

/** The order by one of the names, or by one of them behind a hyphen (D36). */
export function orderBy(...names: readonly (keyof typeof ORDER_KEYS)[]): OrderParameter {
  const choice = createChoice(
    names.flatMap((name): readonly (readonly [string, Order])[] => [
      [name, { key: ORDER_KEYS[name], isDescending: false }],
      [`-${name}`, { key: ORDER_KEYS[name], isDescending: true }],
    ]),
  );
  const { enum: all = [] } = choice.limits;
  const meaning = `Order of the records within each organization: ${joinNames(all)}, descending with a hyphen; missing values last.`;
  return { kind: 'order', ...single('OrderBy', meaning, all.at(-1) ?? ''), ...choice };
}

const OF_VERSIONS = { pattern: DIGEST_NAME.source };

export const dataVersion: DataVersionParameter = {
  kind: 'dataVersion',
  ...single(
    'DataVersion',
    'Answers from this version of the data, as the Data-Version header of an earlier answer named it, while it is held.',
    '0123456789abcdef0123456789abcdef',
  ),
  limits: OF_VERSIONS,
  read: readVersion,
};

function readVersion(text: string): Result<string> {
  if (DIGEST_NAME.test(text)) return success(text);
  return failure('must be a data version as the header Data-Version gives it: 32 digits from 0 to 9 and a to f');
}

/** Only records that are not, equal in every member, in a former version (D37). */
export const changedSince: ConditionFilter = {
  kind: 'changedSince',
  ...single(
    'ChangedSince',
    'Only records that were added or changed since this version of the data, while it is held.',
    dataVersion.example,
  ),
  limits: OF_VERSIONS,
  read: (text) => {
    const version = readVersion(text);
    return version.ok ? success({ kind: 'changedSince', version: version.value }) : version;
  },
};

/** The former version of which removed records are listed (D37). */
export const since: ConditionFilter = {
  ...changedSince,
  name: 'Since',
  required: 'the data version that an earlier answer named in Data-Version',
  meaning: 'Lists the records that this version of the data had and the current one has not.',
};

export const answerFormat = formatParameter('format', ANSWER_FORMATS, 'csv');

/** As the page of records, over the rows of totals (D38). */
export const rowPage = pageOf('row');

/** As the page of records, over sites or reporting units (D42, D43). */
export const placePage = pageOf('place');

export const tableFormat = formatParameter<'format', AnswerFormat>('format', TABLE_FORMATS, 'csv');

export const exportFormat = formatParameter('exportFormat', EXPORT_FORMATS, 'parquet');

function pageOf(listed: string): readonly PageParameter[] {
  return [
    { ...startIndex, meaning: `0-based index of the first ${listed}.` },
    { ...recordCount, meaning: `Number of ${listed}s in the answer.` },
  ];
}

function formatParameter<Kind extends string, Format extends string>(
  kind: Kind,
  formats: readonly Format[],
  example: Format,
): FormatParameter<Kind, Format> {
  const meaning = `Form of the answer: ${joinNames(formats)}; without it the header Accept decides.`;
  const choice = createChoice(formats.map((format) => [format, format] as const));
  return { kind, ...single('format', meaning, example), ...choice, formats };
}

function single(name: string, meaning: string, example: string): Omit<Parameter<never>, 'read' | 'defaultValue'> {
  return { name, type: 'string', meaning, example };
}

export function integerBetween(minimum: number, maximum: number): Pick<Parameter<number>, 'type' | 'limits' | 'read'> {
  const read = (text: string): Result<number> => {
    const value = readInteger(text);
    if (value !== undefined && value >= minimum && value <= maximum) return success(value);
    return failure(`must be a whole number from ${minimum} to ${maximum}, in decimal digits only`);
  };
  return { type: 'integer', limits: { minimum, maximum }, read };
}
