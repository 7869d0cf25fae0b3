// A small chart of a data set's records by year, drawn as SVG from the period column of its release, with a text
// alternative.

import { periodColumnOf } from '../../search/index/release-index';
import type { PeriodColumn } from '../../search/index/column-format';
import type { SearchCaches, YearCounts } from '../../search/index/search-caches';
import type { ReleaseReader } from '../../store/port';
import { yearOf } from '../../query/groupings';
import { html, type Html } from './page-frame';

/** Wide enough to see each on a narrow screen; a longer span of years has several to a bar. */
const MOST_BARS = 100;

/** In the units of the drawing, in which a bar and its gap are 1 wide. */
const HEIGHT = 20;
const BAR_WIDTH = 0.8;
/** A year with few records is still seen. */
const LEAST_HEIGHT = 1;

/** The memory of the counts of a year, about. */
const BYTES_PER_YEAR = 16;

/** Counts once for a release, in one pass over the codes of its periods: some 20 ms for a million records. */
export async function yearCountsOf(reader: ReleaseReader, caches: SearchCaches): Promise<YearCounts> {
  const { releaseId } = reader.facts;
  const known = caches.years.get(releaseId);
  if (known !== undefined) return known;
  const counts = countYears(await periodColumnOf(reader, 'periods', caches));
  caches.years.set(releaseId, counts, counts.records.length * BYTES_PER_YEAR);
  return counts;
}

/** By the year of D39, which a right has by its priority date. */
function countYears({ periods, codes }: PeriodColumn): YearCounts {
  const ofCodes = new Uint32Array(periods.length / 2);
  for (const code of codes) ofCodes[code] = (ofCodes[code] ?? 0) + 1;
  const byYear = new Map<number, number>();
  // Code 0 is that of records without dates.
  for (let code = 1; code < ofCodes.length; code++) {
    const year = yearOf(periods[2 * code] ?? 0, periods[2 * code + 1] ?? 0);
    if (year !== undefined) byYear.set(year, (byYear.get(year) ?? 0) + (ofCodes[code] ?? 0));
  }
  const years = [...byYear.keys()];
  const firstYear = years.reduce((first, year) => Math.min(first, year), Infinity);
  const lastYear = years.reduce((last, year) => Math.max(last, year), -Infinity);
  const length = years.length === 0 ? 0 : lastYear - firstYear + 1;
  const records = Array.from({ length }, (_, index) => byYear.get(firstYear + index) ?? 0);
  return { firstYear, records, withoutYear: codes.length - records.reduce((sum, count) => sum + count, 0) };
}

/** Nothing for fewer than two years, which a chart says less of than the figures beside it. */
export function yearChart({ firstYear, records, withoutYear }: YearCounts): Html | '' {
  if (records.length < 2) return '';
  const yearsPerBar = Math.ceil(records.length / MOST_BARS);
  const bars = Array.from({ length: Math.ceil(records.length / yearsPerBar) }, (_, bar) =>
    records.slice(bar * yearsPerBar, (bar + 1) * yearsPerBar).reduce((sum, count) => sum + count),
  );
  const most = Math.max(...bars);
  const nameOf = (bar: number): string => {
    const year = firstYear + bar * yearsPerBar;
    const last = Math.min(year + yearsPerBar, firstYear + records.length) - 1;
    return last === year ? `${year}` : `${year} to ${last}`;
  };
  const path = bars.map((count, bar) => {
    const height = Math.max(LEAST_HEIGHT, (HEIGHT * count) / most);
    return count === 0 ? '' : `M${bar} ${HEIGHT}v-${height.toFixed(1)}h${BAR_WIDTH}V${HEIGHT}z`;
  });
  const without = withoutYear === 0 ? '' : `; ${formatCount(withoutYear)} without a year`;
  const text = `Records by year, ${firstYear} to ${firstYear + records.length - 1}: most in ${nameOf(bars.indexOf(most))} (${formatCount(most)})${without}.`;
  return html`<svg class="chart" role="img" viewBox="0 0 ${bars.length} ${HEIGHT}" preserveAspectRatio="none">
    <title>${text}</title>
    <path d="${path.join('')}" />
  </svg>`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
