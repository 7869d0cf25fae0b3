// `npm run bench -- --totals`: times totals, facets and orders over HTTP, each on its first request. Compares them with
// DuckDB in process on the same columns, if Python and its duckdb package are installed.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../../shared/project-files';
import { benchmarkVocabulary } from '../generate/benchmark-vocabulary';
import { formatDay, toDayNumber } from '../generate/calendar-days';
import { HttpClient } from '../measure/http-client';
import { openLoadedStore } from '../measure/loading';
import { type StartedServer, withServers } from '../measure/programs';
import { median } from '../measure/quantiles';
import { moveBoundary, SITE_AMOUNTS } from '../measure/requests';
import { type TimingClient, withClients } from '../measure/timing-client';
import type { Table } from '../report/table-text';

const TIMES = 15;
const WARM_UPS = 5;

/** Linux's clock ticks per second, the unit in which it reports processor time. */
const TICKS_PER_SECOND = 100;

const FIVE_YEARS = 1826;

/** Milliseconds of elapsed time and of processor time on all processors. */
interface Cost {
  readonly milliseconds: number;
  readonly processor: number;
}

interface EngineFigure extends Cost {
  readonly engine: string;
  readonly form: string;
  readonly question: string;
}

const YEAR_AND_COUNTY = 'GroupBy=Year&GroupBy=County';
const FACETS = ['SiteTypeCV', 'County', 'HUC8', 'HUC12', 'State', 'PODorPOUSite', 'VariableCV', 'VariableSpecificCV']
  .concat('BeneficialUseCV', 'USGSCategoryNameCV', 'WaterSourceTypeCV', 'OrganizationUUID')
  .map((name) => `Facet=${name}`)
  .join('&');

/**
 * Builds the n-th request, keyed by the name of its table row. The first four names match the questions in
 * time_engines.py.
 */
const questions: Readonly<Record<string, (time: number) => string>> = {
  'everything, one row a variable': (time) => buildTotalsPath('', time),
  'everything by use': (time) => buildTotalsPath('GroupBy=BeneficialUseCV', time),
  'everything by year and county': (time) => buildTotalsPath(YEAR_AND_COUNTY, time),
  'a range of dates by year and county': (time) => buildTotalsPath(`${YEAR_AND_COUNTY}&${buildFiveYears(time)}`, 0),
  'a sixth of the sites, first record': (time) => `${SITE_AMOUNTS}RecordCount=1&${buildBoundary(time)}`,
  'a sixth of the sites by year and county': (time) =>
    buildTotalsPath(`${YEAR_AND_COUNTY}&${buildBoundary(time + 500)}`, 0),
  'all facets of a range of dates': (time) =>
    `${SITE_AMOUNTS.replace('?', '/Facets?')}${FACETS}&${buildFiveYears(time + 300)}`,
  'a page by amount, at any depth': (time) => `${SITE_AMOUNTS}OrderBy=Amount&StartIndex=${7001 * (time + WARM_UPS)}`,
};

export async function totalsComparison(
  records: number,
  python: string,
  log: (line: string) => void,
): Promise<readonly Table[]> {
  const store = await openLoadedStore({ name: `totals-${records}`, records, kinds: ['SiteVariableAmounts'], log });
  const ownCosts = await withServers(store.environment, (servers) =>
    withClients(HttpClient, servers, async (client) => {
      const costs = new Map<string, Cost>();
      for (const [name, question] of Object.entries(questions)) {
        log(name);
        costs.set(name, await measureCost(question, client, servers.service));
      }
      return costs;
    }),
  );
  log('DuckDB');
  const figures = measureEngines(python, join(store.folder, 'submissions', 'site-amounts'));
  return [ownTable(records, ownCosts), ...(figures === undefined ? [] : [enginesTable(ownCosts, figures)])];
}

/** Each page has a different start, so that no answer comes from a cache. */
function buildTotalsPath(query: string, startIndex: number): string {
  return `${SITE_AMOUNTS.replace('?', '/Totals?')}${query}&StartIndex=${Math.max(0, startIndex)}`;
}

function buildFiveYears(time: number): string {
  const first = toDayNumber(1985, 1, 1) + 3 * (time + WARM_UPS);
  return `StartDate=${formatDay(first)}&EndDate=${formatDay(first + FIVE_YEARS)}`;
}

function buildBoundary(time: number): string {
  return `SearchBoundary=${moveBoundary(benchmarkVocabulary.largeBoundary, time + WARM_UPS)}`;
}

async function measureCost(
  question: (time: number) => string,
  client: TimingClient,
  server: StartedServer,
): Promise<Cost> {
  const times: number[] = [];
  let processorBefore = 0;
  for (let time = -WARM_UPS; time < TIMES; time++) {
    if (time === 0) processorBefore = processorMilliseconds(server);
    const { milliseconds } = await client.askExpecting(200, { path: question(time) });
    if (time >= 0) times.push(milliseconds);
  }
  return { milliseconds: median(times), processor: (processorMilliseconds(server) - processorBefore) / TIMES };
}

/** NaN if /proc is missing. */
function processorMilliseconds({ child }: StartedServer): number {
  try {
    // After the program name in parentheses, the 12th and 13th fields are the ticks in user and system mode.
    const fields =
      readFileSync(`/proc/${child.pid ?? 0}/stat`, 'utf8')
        .split(') ')[1]
        ?.split(' ') ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  } catch {
    return NaN;
  }
}

/** Undefined if Python has no DuckDB. */
function measureEngines(python: string, folder: string): readonly EngineFigure[] | undefined {
  const script = join(findProjectDirectory(), 'bench', 'engines', 'time_engines.py');
  const { status, stdout } = spawnSync(python, [script, folder, String(TIMES)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e7,
  });
  return status === 0 ? (JSON.parse(stdout) as EngineFigure[]) : undefined; // The JSON that the script prints.
}

function ownTable(records: number, ownCosts: ReadonlyMap<string, Cost>): Table {
  return {
    title: `Totals, facets and orders of ${records} amounts, never asked before`,
    columns: ['Request', 'ms', 'processor ms'],
    rows: [...ownCosts].map(([name, { milliseconds, processor }]) => [
      name,
      milliseconds.toFixed(1),
      processor.toFixed(1),
    ]),
    notes: [],
  };
}

function enginesTable(ownCosts: ReadonlyMap<string, Cost>, figures: readonly EngineFigure[]): Table {
  const rows = figures.map(({ engine, form, question, milliseconds, processor }) => {
    const ownCost = ownCosts.get(question);
    const ratios = [milliseconds / (ownCost?.milliseconds ?? NaN), processor / (ownCost?.processor ?? NaN)];
    return [
      question,
      engine,
      form,
      milliseconds.toFixed(1),
      processor.toFixed(1),
      ...ratios.map((ratio) => ratio.toFixed(1)),
    ];
  });
  return {
    title: 'Beside DuckDB in process',
    columns: ['Question', 'engine', 'from', 'ms', 'processor ms', 'times ours, ms', 'times ours, processor'],
    rows,
    notes: ['Ours has HTTP and JSON in it, DuckDB has neither; its sums are not compensated.'],
  };
}
