// The timed requests, keyed by the name of their table row, and the mix that many clients send. A warm request is
// always the same; a cold request is different each time, so that no part of it is cached.

import { benchmarkVocabulary as vocabulary } from '../generate/benchmark-vocabulary';
import { formatDay, toDayNumber } from '../generate/calendar-days';
import { createItemRandom } from '../generate/seeded-random';
import type { Question } from './timing-client';

/** The facts about the loaded data that requests depend on. */
export interface DataShape {
  readonly records: number;
  readonly rights: number;
  /** The number of records that match the filter for a use and a type. */
  readonly useAndType: number;
  /** The ETag of the first page; undefined if the server sends none. */
  readonly entityTag: string | undefined;
}

export interface BenchmarkRequest {
  readonly status: 200 | 304;
  /** Returns the n-th query. */
  readonly question: (time: number) => Question;
  /** The number of warm-up requests, if different from the others. */
  readonly warmUps?: number;
}

export type RequestName = keyof ReturnType<typeof buildRequests>;

export const SITE_AMOUNTS = '/v1/SiteVariableAmounts?';
const ALLOCATIONS = '/v1/SiteAllocationAmounts?';

export const USE_AND_TYPE = `BeneficialUseCV=${encodeUse(0)}&SiteTypeCV=${encodeSiteType(0)}`;

/** The range of dates that covers most rows of the short series. */
const FIRST_START = toDayNumber(1985, 1, 1);
const STARTS = 10_000;
const TWELVE_YEARS = 4383;

/** The number of gages that exist in data of any size. */
const GAGES = 12;

/** Multiplying whole numbers by this spreads their fractions far apart. */
const GOLDEN_SECTION = 0.618_033_988_75;

/** About 10 meters: enough for a different boundary that contains nearly the same sites. */
const STEP = 1e-4;
const STEPS_A_ROW = 1000;

const SEED = 1;
const MIX_STREAM = 70;

/**
 * The weights in the mix. One client of the PostgreSQL service would get 15 answers per second with its times for these
 * rows, which is what was measured there, so the two loads are equivalent.
 */
const mixWeights: Partial<Readonly<Record<RequestName, number>>> = {
  'first page of 1,000': 13,
  'page at 10 percent': 6,
  'page at 50 percent': 6,
  'page at 99 percent': 6,
  '10,000 records': 4,
  'one long series': 8,
  'one short series': 8,
  'county and dates': 7,
  'use and type, first page': 5,
  'use and type, 50 percent': 4,
  'small polygon': 4,
  'large polygon': 5,
  'large polygon, cold': 5,
  'rights, first page': 8,
  'rights, 10,000': 1,
  'rights, large polygon': 3,
  'rights, large polygon, cold': 2,
  'two terms and dates, cold': 3,
  'dates alone, cold': 2,
};

export function benchmarkRequests(shape: DataShape): Readonly<Record<RequestName, BenchmarkRequest>> {
  return buildRequests(shape);
}

/** Returns the question at a position of the mix, which is endless. */
export function createQuestionMix(shape: DataShape): (position: number) => Question {
  const requests = benchmarkRequests(shape);
  // The keys of an object literal of that type.
  const names = Object.keys(mixWeights) as RequestName[];
  const lots = names.flatMap((name) => Array.from({ length: mixWeights[name] ?? 0 }, () => requests[name]));
  return (position) => createItemRandom(SEED, MIX_STREAM, position).pick(lots).question(position);
}

/** The return type is inferred, because it lists the names of the rows. */
function buildRequests({ records, rights, useAndType, entityTag = '' }: DataShape) {
  const large = encodeURIComponent(vocabulary.largeBoundary);
  const small = encodeURIComponent(vocabulary.smallBoundary);
  return {
    'first page of 1,000': warm(SITE_AMOUNTS),
    'first page, gzip accepted': warm(SITE_AMOUNTS, { 'Accept-Encoding': 'gzip' }),
    'first page, HEAD': { ...warm(SITE_AMOUNTS), question: () => ({ method: 'HEAD', path: SITE_AMOUNTS }) },
    'first page, 304': { ...warm(SITE_AMOUNTS, { 'If-None-Match': entityTag }), status: 304 },
    '10,000 records': warm(`${SITE_AMOUNTS}RecordCount=10000`),
    'page at 10 percent': warm(`${SITE_AMOUNTS}StartIndex=${Math.floor(records * 0.1)}`),
    'page at 50 percent': warm(`${SITE_AMOUNTS}StartIndex=${Math.floor(records * 0.5)}`),
    'page at 99 percent': warm(`${SITE_AMOUNTS}StartIndex=${Math.max(0, Math.floor(records * 0.99) - 1000)}`),
    'a page anywhere, cold': cold((time) => `${SITE_AMOUNTS}StartIndex=${findStartIndex(time, records)}`),
    'one long series': warm(`${SITE_AMOUNTS}SiteUUID=${vocabulary.gageSiteUuid(3)}`),
    'one short series': warm(`${SITE_AMOUNTS}SiteUUID=${vocabulary.shortSiteUuid(1)}`),
    'a part of a long series, cold': cold(
      (time) => `${SITE_AMOUNTS}SiteUUID=${vocabulary.gageSiteUuid(time % GAGES)}&StartIndex=${time + 1}`,
    ),
    'one short series, cold': cold((time) => `${SITE_AMOUNTS}SiteUUID=${vocabulary.shortSiteUuid(time + 1)}`),
    'county and dates': warm(`${SITE_AMOUNTS}County=${encodeCounty(3)}&StartDate=1990-01-01&EndDate=1999-12-31`),
    'use and type, first page': warm(`${SITE_AMOUNTS}${USE_AND_TYPE}`),
    'use and type, 50 percent': warm(`${SITE_AMOUNTS}${USE_AND_TYPE}&StartIndex=${Math.floor(useAndType / 2)}`),
    'dates alone': warm(`${SITE_AMOUNTS}StartDate=1995-01-01&EndDate=1995-12-31`),
    'small polygon': warm(`${SITE_AMOUNTS}SearchBoundary=${small}`),
    'large polygon': warm(`${SITE_AMOUNTS}SearchBoundary=${large}`),
    'rights, first page': warm(ALLOCATIONS),
    'rights, 10,000': warm(`${ALLOCATIONS}RecordCount=10000`),
    'rights, 50 percent': warm(`${ALLOCATIONS}StartIndex=${Math.floor(rights / 2)}`),
    'rights, a page anywhere, cold': cold((time) => `${ALLOCATIONS}StartIndex=${findStartIndex(time, rights)}`),
    'rights, large polygon': warm(`${ALLOCATIONS}SearchGeometry=${large}`),
    'two terms and dates, cold': cold(
      (time) =>
        `${SITE_AMOUNTS}BeneficialUseCV=${encodeUse(time % 12)}&SiteTypeCV=${encodeSiteType(time)}&${buildTwelveYears(time)}`,
    ),
    // One day longer than in the rows with terms, because that range may be cached.
    'dates alone, cold': cold((time) => `${SITE_AMOUNTS}${buildTwelveYears(time, 1)}`),
    'small polygon, cold': cold(
      (time) => `${SITE_AMOUNTS}SearchBoundary=${moveBoundary(vocabulary.smallBoundary, time)}`,
    ),
    'large polygon, cold': cold(
      (time) => `${SITE_AMOUNTS}SearchBoundary=${moveBoundary(vocabulary.largeBoundary, time)}`,
    ),
    'rights, large polygon, cold': cold(
      (time) => `${ALLOCATIONS}SearchGeometry=${moveBoundary(vocabulary.largeBoundary, time)}`,
    ),
  } satisfies Record<string, BenchmarkRequest>;
}

/** The start of a page of 1,000, different each time. */
export function findStartIndex(time: number, records: number): number {
  return Math.floor((((time + 1) * GOLDEN_SECTION) % 1) * Math.max(0, records - 1000));
}

function warm(path: string, headers: Readonly<Record<string, string>> = {}): BenchmarkRequest {
  return { status: 200, question: () => ({ path, headers }) };
}

function cold(path: (time: number) => string): BenchmarkRequest {
  return { status: 200, question: (time) => ({ path: path(time) }) };
}

function encodeCounty(index: number): string {
  return encodeURIComponent(vocabulary.counties[index] ?? '');
}

function encodeUse(index: number): string {
  return encodeURIComponent(vocabulary.uses[index]?.name ?? '');
}

function encodeSiteType(index: number): string {
  return encodeURIComponent(vocabulary.siteTypes[index % 4] ?? '');
}

/**
 * A period of about twelve years that has not been requested before: 10,000 different starts, then different lengths.
 * The step of 37 days keeps consecutive periods apart.
 */
function buildTwelveYears(time: number, moreDays = 0): string {
  const start = FIRST_START + ((time * 37) % STARTS);
  const days = TWELVE_YEARS + 2 * Math.floor(time / STARTS) + moreDays;
  return `StartDate=${formatDay(start)}&EndDate=${formatDay(start + days)}`;
}

/** Moves the boundary slightly east and north. Each of a million calls returns a different boundary. */
export function moveBoundary(wkt: string, time: number): string {
  const east = ((time % STEPS_A_ROW) + 1) * STEP;
  const north = Math.floor(time / STEPS_A_ROW) * STEP;
  const text = wkt.replace(/(-?\d+\.?\d*) (-?\d+\.?\d*)/g, (_, longitude: string, latitude: string) => {
    return `${(Number(longitude) + east).toFixed(6)} ${(Number(latitude) + north).toFixed(6)}`;
  });
  return encodeURIComponent(text);
}
