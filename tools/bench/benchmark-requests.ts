// The requests that the benchmark times. `cold` rows ask for something else each time, so that nothing is resolved yet.

import { benchmarkVocabulary as vocabulary } from './benchmark-vocabulary';

export interface BenchmarkRequest {
  readonly name: string;
  /** Path and query of the n-th time; the total is that of the data. */
  readonly query: (time: number) => string;
  readonly times: number;
}

const SITE_AMOUNTS = '/v1/SiteVariableAmounts?';
const ALLOCATIONS = '/v1/SiteAllocationAmounts?';

const TIMES = 25;

export function benchmarkRequests(records: number): readonly BenchmarkRequest[] {
  const large = encodeURIComponent(vocabulary.largeBoundary);
  const small = encodeURIComponent(vocabulary.smallBoundary);
  const rights = Math.floor(records * 0.28);
  return [
    warm('first page of 1,000', SITE_AMOUNTS),
    warm('10,000 records', `${SITE_AMOUNTS}RecordCount=10000`),
    warm('page at 10 percent', `${SITE_AMOUNTS}StartIndex=${Math.floor(records * 0.1)}`),
    warm('page at 50 percent', `${SITE_AMOUNTS}StartIndex=${Math.floor(records * 0.5)}`),
    warm('page at 99 percent', `${SITE_AMOUNTS}StartIndex=${Math.floor(records * 0.99) - 1000}`),
    warm('one long series', `${SITE_AMOUNTS}SiteUUID=${vocabulary.gageSiteUuid(3)}`),
    warm('one short series', `${SITE_AMOUNTS}SiteUUID=${vocabulary.shortSiteUuid(100)}`),
    warm('county and dates', `${SITE_AMOUNTS}County=${countyOf(3)}&StartDate=1990-01-01&EndDate=1999-12-31`),
    warm('use and type, first', `${SITE_AMOUNTS}BeneficialUseCV=${useOf(0)}&SiteTypeCV=Well`),
    warm(
      'use and type, 50 percent',
      `${SITE_AMOUNTS}BeneficialUseCV=${useOf(0)}&SiteTypeCV=Well&StartIndex=${Math.floor(records * 0.02)}`,
    ),
    warm('dates alone', `${SITE_AMOUNTS}StartDate=1995-01-01&EndDate=1995-12-31`),
    warm('small polygon', `${SITE_AMOUNTS}SearchBoundary=${small}`),
    warm('large polygon', `${SITE_AMOUNTS}SearchBoundary=${large}`),
    warm('rights, first page', ALLOCATIONS),
    warm('rights, 10,000', `${ALLOCATIONS}RecordCount=10000`),
    warm('rights, 50 percent', `${ALLOCATIONS}StartIndex=${Math.floor(rights / 2)}`),
    warm('rights, large polygon', `${ALLOCATIONS}SearchGeometry=${large}`),
    cold(
      'two terms and dates, cold',
      (time) =>
        `${SITE_AMOUNTS}BeneficialUseCV=${useOf(time % 12)}&SiteTypeCV=${typeOf(time)}&${yearsFrom(1960 + time)}`,
    ),
    cold('dates alone, cold', (time) => `${SITE_AMOUNTS}${yearsFrom(1950 + time)}`),
    cold(
      'large polygon, cold',
      (time) => `${SITE_AMOUNTS}SearchBoundary=${encodeURIComponent(shifted(vocabulary.largeBoundary, time))}`,
    ),
    cold(
      'rights, large polygon, cold',
      (time) => `${ALLOCATIONS}SearchGeometry=${encodeURIComponent(shifted(vocabulary.largeBoundary, time))}`,
    ),
  ];
}

function warm(name: string, query: string): BenchmarkRequest {
  return { name, query: () => query, times: TIMES };
}

function cold(name: string, query: (time: number) => string): BenchmarkRequest {
  return { name, query, times: TIMES };
}

function countyOf(index: number): string {
  return encodeURIComponent(vocabulary.counties[index] ?? '');
}

function useOf(index: number): string {
  return encodeURIComponent(vocabulary.uses[index]?.name ?? '');
}

function typeOf(index: number): string {
  return encodeURIComponent(vocabulary.siteTypes[index % 4] ?? '');
}

function yearsFrom(year: number): string {
  return `StartDate=${year}-01-01&EndDate=${year + 12}-12-31`;
}

/** The same boundary a little to the east: never asked before. */
function shifted(wkt: string, time: number): string {
  return wkt.replace(/(-?\d+\.?\d*) (-?\d+\.?\d*)/g, (_, longitude: string, latitude: string) => {
    return `${(Number(longitude) + (time + 1) * 1e-4).toFixed(6)} ${latitude}`;
  });
}
