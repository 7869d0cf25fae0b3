// The parameters that OGC API - Features gives to items (D48), declared as those of operations are. Each may stand
// once.

import type { AnswerLayout } from '../../records/data-sets';
import { COORDINATE_SYSTEMS, type CoordinateSystem, readCoordinateSystem } from '../../values/coordinate-systems';
import { type Day, formatIsoDate, readQueryDate, toCalendarDate, toDay } from '../../values/dates';
import { readInteger, readNumber } from '../../values/numbers';
import { failure, type Result, success } from '../../values/result';
import type { Period } from '../condition';
import { words } from '../find-parameters';
import { RECORD_COUNT } from '../page-parameters';
import { createChoice, joinNames, type Parameter } from '../parameter';

export interface ItemParameter<Value> extends Parameter<Value> {
  /** What the API document says of the value, as OpenAPI has it; `form` without `explode` is a list with commas. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export type ItemFormat = 'json' | 'html';

export type FeatureFormat = ItemFormat | 'jsonld';

export const limit = itemParameter<number>('limit', {
  meaning: `Number of features in the answer; more than ${RECORD_COUNT.maximum} count as ${RECORD_COUNT.maximum}.`,
  example: '100',
  schema: { type: 'integer', minimum: 1, maximum: RECORD_COUNT.maximum, default: RECORD_COUNT.default },
  read: (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : undefined;
    if (value === undefined || value < 1)
      return failure('must be a whole number of at least 1, in decimal digits only');
    return success(Math.min(value, RECORD_COUNT.maximum));
  },
});

export const offset = itemParameter<number>('offset', {
  meaning: 'How many features are passed over.',
  example: '1000',
  schema: { type: 'integer', minimum: 0, default: 0 },
  read: (text) => {
    const value = readInteger(text);
    return value === undefined ? failure('must be a whole number, in decimal digits only') : success(value);
  },
});

/** The numbers are read in the system of bbox-crs. */
export const bbox = itemParameter<readonly number[]>('bbox', {
  meaning: 'Only features that touch the box: west, south, east, north; heights are passed over.',
  example: '-112,40,-111,41',
  schema: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 6 },
  read: (text) => {
    const numbers = text.split(',').map((part) => readNumber(part.trim()));
    const known = numbers.filter((number) => number !== undefined);
    const isBox = known.length === numbers.length && (known.length === 4 || known.length === 6);
    return isBox ? success(known) : failure('must be four numbers with commas between, or six with heights');
  },
});

export const bboxCrs = systemParameter('bbox-crs', 'The coordinate reference system of bbox.');

export const crs = systemParameter('crs', 'The coordinate reference system of the geometries in the answer.');

export const filterCrs = systemParameter('filter-crs', 'The coordinate reference system of geometries in the filter.');

export const datetime = itemParameter<Period>('datetime', {
  meaning: 'Only features whose time has a day in common with this instant or interval; those without a time as well.',
  example: '2010-01-01/2010-12-31',
  schema: { type: 'string' },
  read: readInterval,
});

export const filter = itemParameter<string>('filter', {
  meaning: 'What must be true of a feature, in CQL2; its names are the queryables, and letter case counts in values.',
  example: "State = 'UT' AND Amount > 5",
  schema: { type: 'string' },
  read: success,
});

const LANGUAGES = ['cql2-text', 'cql2-json'] as const;

export const filterLang = itemParameter<(typeof LANGUAGES)[number]>('filter-lang', {
  meaning: 'The language of the filter.',
  example: 'cql2-text',
  schema: { type: 'string', enum: LANGUAGES, default: 'cql2-text' },
  read: createChoice(LANGUAGES.map((name) => [name, name] as const)).read,
});

export const format = formParameter<ItemFormat>(['json', 'html'], 'json');

/** The form of a site, a unit or a right, which have JSON-LD as well (D49). */
export const formatWithJsonLd = formParameter<FeatureFormat>(['json', 'html', 'jsonld'], 'jsonld');

/** Those that say which features are found. */
export const filterParameters: readonly ItemParameter<unknown>[] = [
  bbox,
  bboxCrs,
  datetime,
  filter,
  filterLang,
  filterCrs,
];

/** Powers of two, so that no square of pixels lies in two tiles of 256. */
const CLUSTER_PIXELS = [1, 2, 4, 8, 16, 32, 64] as const;

/** Only tiles of points take it (ADR 0088). */
export const cluster = itemParameter<number>('cluster', {
  meaning:
    'Points in the same square of so many pixels (256 to a tile) stand as one feature with their count. ' +
    'From zoom 14 on, in tiles of at most 1,000 points, each stands by itself.',
  example: '16',
  schema: { type: 'integer', enum: CLUSTER_PIXELS, default: 1 },
  read: (text) => {
    const found = CLUSTER_PIXELS.find((pixels) => String(pixels) === text);
    return found === undefined ? failure(`must be ${CLUSTER_PIXELS.join(', ')}`) : success(found);
  },
});

/** Only tiles of points take it (ADR 0088). */
export const mix = itemParameter<string>('mix', {
  meaning:
    'The name of a member such as use: a feature of several points then has `mix`, the most frequent values of that ' +
    'member (at most 8) with the points that have them, as a list in JSON.',
  example: 'use',
  schema: { type: 'string' },
  read: success,
});

/** What the tiles of a collection take, whose features are points (0) or areas (2). */
export function listTileParameters({ dimension }: { readonly dimension: 0 | 2 }): readonly ItemParameter<unknown>[] {
  return dimension === 0 ? [...filterParameters, q, cluster, mix] : [...filterParameters, q];
}

/** Only collections whose features have names or identifiers of their own take it (D60). */
export const q = itemParameter<readonly string[]>('q', {
  meaning: 'Only features of whose name or identifier each of these words begins a word, as /v1/Find compares them.',
  example: 'bear riv',
  schema: { type: 'string' },
  read: words.read,
});

/** Those of a collection, as the API document lists them. Amounts have no names. */
export function listItemParameters(featureKind: AnswerLayout['kind']): readonly ItemParameter<unknown>[] {
  const isNamed = featureKind !== 'SiteVariableAmounts' && featureKind !== 'AggregatedAmounts';
  return [limit, offset, crs, ...filterParameters, ...(isNamed ? [q] : []), format];
}

function itemParameter<Value>(
  name: string,
  declared: Pick<ItemParameter<Value>, 'meaning' | 'example' | 'schema' | 'read'>,
): ItemParameter<Value> {
  return { name, type: 'string', ...declared };
}

function formParameter<Form extends FeatureFormat>(names: readonly Form[], example: Form): ItemParameter<Form> {
  const { limits, read } = createChoice(names.map((name) => [name, name] as const));
  return itemParameter('f', {
    meaning: `The form of the answer: ${joinNames(names)}; without it the header Accept decides.`,
    example,
    schema: { type: 'string', ...limits },
    read: (text, settings) => read(/^geojson$/i.test(text) ? 'json' : text, settings),
  });
}

function systemParameter(name: string, meaning: string): ItemParameter<CoordinateSystem> {
  const uris = COORDINATE_SYSTEMS.map(({ uri }) => uri);
  return itemParameter(name, {
    meaning,
    example: uris[0] ?? '',
    schema: { type: 'string', format: 'uri', enum: uris, default: uris[0] },
    read: readCoordinateSystem,
  });
}

// The value of the parameter datetime (D48): an instant, or two ends with / between. An end may be open (`..` or
// nothing), and one of them a duration of ISO 8601, as `2010-01-01/P1M` (ADR 0077).

export function readInterval(text: string): Result<Period> {
  const ends = text.split('/');
  const [first = '', last = first] = ends;
  const start = readEnd(first);
  const end = readEnd(last);
  if (ends.length > 2 || (ends.length === 1 && start.kind !== 'day' && start.kind !== 'wrong')) return failure(SHAPES);
  for (const one of [start, end]) if (one.kind === 'wrong') return failure(one.problem);
  if (start.kind === 'duration') {
    return end.kind === 'day' ? success({ from: shiftedDay(end, start, -1), to: end.day }) : failure(SHAPES);
  }
  if (end.kind === 'duration') {
    return start.kind === 'day' ? success({ from: start.day, to: shiftedDay(start, end, 1) }) : failure(SHAPES);
  }
  if (start.kind === 'day' && end.kind === 'day' && start.day > end.day) {
    return failure(`begins on ${formatIsoDate(start.day)}, after its end on ${formatIsoDate(end.day)}`);
  }
  return success({
    ...(start.kind === 'day' ? { from: start.day } : {}),
    ...(end.kind === 'day' ? { to: end.day } : {}),
  });
}

const SHAPES = 'must be a date, or two with / between, of which one may be .. or a duration such as P1M';
const NO_DATE = 'has a date that is none: write 2010-12-31 or 2010-12-31T12:00:00Z';

/** GDAL sends comparisons of any column of dates so. Answered, they would find other features than it was asked for. */
const DATE_OF_GDAL = /^\d{4}-\d{2}-\d{2}T$/;
const NO_TIME =
  'has a T without a time, as GDAL sends comparisons of a date column, and datetime compares otherwise: ' +
  "in GDAL, write CAST(NAME AS character) < '1970/01/01'";

interface Duration {
  readonly months: number;
  readonly seconds: number;
}

interface Instant {
  readonly day: Day;
  readonly secondOfDay: number;
}

type End =
  | { readonly kind: 'open' }
  | { readonly kind: 'wrong'; readonly problem: string }
  | ({ readonly kind: 'day' } & Instant)
  | ({ readonly kind: 'duration' } & Duration);

const DATE = /^\d{4}-\d{2}-\d{2}(?:[Tt ](\d{2}):(\d{2})(?::(\d{2}))?|$)/;
const DURATION =
  /^P(?=\d|T\d)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/i;
const DAY_SECONDS = 86_400;

function readEnd(text: string): End {
  if (text === '' || text === '..') return { kind: 'open' };
  const duration = DURATION.exec(text);
  if (duration !== null) {
    const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = numbersOf(duration);
    const ofDay = (hours * 60 + minutes) * 60 + seconds;
    return { kind: 'duration', months: years * 12 + months, seconds: (weeks * 7 + days) * DAY_SECONDS + ofDay };
  }
  const date = DATE.exec(text);
  const day = date === null ? undefined : readQueryDate(text, 'MDY');
  if (date === null || day?.ok !== true) {
    return { kind: 'wrong', problem: DATE_OF_GDAL.test(text) ? NO_TIME : NO_DATE };
  }
  const [hours = 0, minutes = 0, seconds = 0] = numbersOf(date);
  return { kind: 'day', day: day.value, secondOfDay: (hours * 60 + minutes) * 60 + seconds };
}

/** The groups of a match; what is not written counts as nothing. */
function numbersOf([, ...groups]: readonly (string | undefined)[]): readonly number[] {
  return groups.map((group) => Number(group ?? 0));
}

/** Months first, at most to the end of a shorter one; then the rest, from the time of day of the instant. */
function shiftedDay({ day, secondOfDay }: Instant, { months, seconds }: Duration, direction: 1 | -1): Day {
  const date = toCalendarDate(day);
  const month = date.year * 12 + date.month - 1 + direction * months;
  const year = Math.floor(month / 12);
  const monthOfYear = (((month % 12) + 12) % 12) + 1;
  const daysDown = [0, 1, 2, 3].map((less) => toDay(year, monthOfYear, date.day - less));
  const shifted = daysDown.find((found) => found !== undefined) ?? day;
  return shifted + Math.floor((secondOfDay + direction * seconds) / DAY_SECONDS);
}
