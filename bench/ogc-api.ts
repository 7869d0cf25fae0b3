// `npm run bench -- --ogc`: times items, CQL2 filters, tiles and descriptions under /ogc over HTTP, and compares them
// with the floor of the same run. Requests with the remark "uncached" go to a server without a cache, so that the same
// tile is drawn each time.

import { benchmarkVocabulary as vocabulary } from './generate/benchmark-vocabulary';
import { submissionKinds } from './generate/submissions';
import { makeFiles, openLoadedStore, readFiles } from './measure/loading';
import { type Environment, withServers } from './measure/programs';
import { findStartIndex } from './measure/requests';
import { SocketClient } from './measure/socket-client';
import { type TimedRow, timeRow } from './measure/time-requests';
import { type Question, type TimingClient, withClients } from './measure/timing-client';
import type { Table } from './report/table-text';

type Questions = Readonly<Record<string, (time: number) => Question>>;

/** The approximate number of places in a tile, as when a state first comes into view. */
const TARGET_POINTS = 50_000;

/** Zoom levels at which tiles of the generated data have about this density. */
const ZOOMS = [5, 6, 7];

const ITEMS = '/ogc/collections/';

const COLLECTIONS = [
  { collection: 'site-amounts', items: 'amounts' },
  { collection: 'allocations', items: 'rights' },
  { collection: 'sites', items: 'sites' },
  { collection: 'aggregated-amounts', items: 'amounts of areas' },
] as const;

/** After about this many requests, the engine has compiled the code for a page of features. */
const WARM_UPS = 60;

export async function ogcApi(records: number, log: (line: string) => void): Promise<readonly Table[]> {
  const store = await openLoadedStore({ name: `bench-${records}`, records, kinds: submissionKinds, log });
  await makeFiles(store, log);
  await readFiles(store);
  const rows = await measure(store.environment, listQuestionsAskedOnce, log);
  const drawn = await measure(
    { ...store.environment, ANSWER_CACHE_MB: '0' },
    async (client) => listTileQuestions(await findDenseTiles(client), 'uncached'),
    log,
  );
  const again = await measure(
    store.environment,
    async (client) => listTileQuestions(await findDenseTiles(client), 'asked again'),
    log,
  );
  return [ogcTable(records, [...rows, ...drawn, ...again])];
}

/** Questions that are different each time. */
async function listQuestionsAskedOnce(client: TimingClient): Promise<Questions> {
  return { ...(await listItemQuestions(client)), ...filtersAndDescriptions };
}

async function listItemQuestions(client: TimingClient): Promise<Questions> {
  const questions: Record<string, (time: number) => Question> = {};
  for (const { collection, items } of COLLECTIONS) {
    const { headers } = await client.askExpecting(200, buildItemsQuestion(`${collection}/items?limit=1`));
    const total = Number(headers['x-total-count']);
    questions[`1,000 ${items}`] = (time) =>
      buildItemsQuestion(`${collection}/items?offset=${findStartIndex(time, total)}`);
  }
  return questions;
}

const filtersAndDescriptions: Questions = {
  'OR, NOT and a range, 10 amounts': (time) =>
    buildItemsQuestion(`site-amounts/items?limit=10&${buildFilter(buildAmountFilter(time))}`),
  'OR, NOT and a range, 1,000 amounts': (time) =>
    buildItemsQuestion(`site-amounts/items?${buildFilter(buildAmountFilter(time + 1000))}`),
  'OR, NOT and a range, 10 rights': (time) =>
    buildItemsQuestion(`allocations/items?limit=10&${buildFilter(buildRightFilter(time))}`),
  'OR and NOT, 10 sites': (time) => buildItemsQuestion(`sites/items?limit=10&${buildFilter(buildSiteFilter(time))}`),
  'tile of zoom 6 with OR, NOT and a range': (time) =>
    buildItemsQuestion(`allocations/tiles/WebMercatorQuad/6/24/12?${buildFilter(buildRightFilter(time + 1000))}`),
  'landing page': (time) => buildHostQuestion('/ogc', time),
  collections: (time) => buildHostQuestion('/ogc/collections', time),
  'one collection': (time) => buildHostQuestion('/ogc/collections/sites', time),
  'API document': (time) => buildHostQuestion('/ogc/api', time),
};

function buildItemsQuestion(path: string): Question {
  return { path: ITEMS + path };
}

/**
 * A description contains absolute links, so each host name gets its own description. Every request uses a new host
 * name.
 */
function buildHostQuestion(path: string, time: number): Question {
  return { path, headers: { Host: `bench-${time + 1000}.test` } };
}

function buildFilter(text: string): string {
  return `filter=${encodeURIComponent(text)}`;
}

function buildAmountFilter(time: number): string {
  const [first, second] = vocabulary.uses;
  const types = `(BeneficialUseCV = '${first.name}' OR SiteTypeCV = 'Well' OR BeneficialUseCV = '${second.name}')`;
  return `${types} AND NOT County = '${vocabulary.counties[3] ?? ''}' AND Amount BETWEEN ${time / 8} AND ${1e6 + time}`;
}

function buildRightFilter(time: number): string {
  const uses = "(BeneficialUseCV = 'Irrigation' OR SiteTypeCV = 'Well')";
  const listRange = `AllocationPriorityDate BETWEEN DATE('${1850 + (Math.abs(time) % 40)}-01-01') AND DATE('1999-12-31')`;
  return `${uses} AND NOT County = '${vocabulary.counties[3] ?? ''}' AND ${listRange} AND AllocationFlow_CFS > ${time / 1e4}`;
}

function buildSiteFilter(time: number): string {
  const counties = `NOT County IN ('${vocabulary.counties[Math.abs(time) % 100] ?? ''}', 'none ${time}')`;
  return `(SiteTypeCV = 'Well' OR SiteTypeCV = 'Spring') AND ${counties}`;
}

interface DenseTile {
  readonly collection: string;
  readonly path: string;
  readonly points: number;
}

/** For each collection of points, the tile with the number of points closest to the target. */
async function findDenseTiles(client: TimingClient): Promise<readonly DenseTile[]> {
  const tiles: DenseTile[] = [];
  for (const collection of ['sites', 'allocations']) {
    const candidates: DenseTile[] = [];
    for (const zoom of ZOOMS) {
      for (const path of listTilePaths(collection, zoom)) {
        const { headers } = await client.ask({ path });
        candidates.push({ collection, path, points: Number(headers['x-total-count']) });
      }
    }
    const distance = ({ points }: DenseTile): number => Math.abs(points - TARGET_POINTS);
    tiles.push(...candidates.toSorted((a, b) => distance(a) - distance(b)).slice(0, 1));
  }
  return tiles;
}

/** The tiles that cover the two states of the generated data. */
function listTilePaths(collection: string, zoom: number): readonly string[] {
  const west = findColumn(-114, zoom);
  const east = findColumn(-102, zoom);
  const north = findRow(41, zoom);
  const south = findRow(37, zoom);
  return listRange(north, south).flatMap((row) =>
    listRange(west, east).map((column) => `${ITEMS}${collection}/tiles/WebMercatorQuad/${zoom}/${row}/${column}`),
  );
}

function findColumn(longitude: number, zoom: number): number {
  return Math.floor(((longitude + 180) / 360) * 2 ** zoom);
}

function findRow(latitude: number, zoom: number): number {
  const angle = (latitude * Math.PI) / 180;
  return Math.floor(((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * 2 ** zoom);
}

function listRange(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function listTileQuestions(tiles: readonly DenseTile[], how: string): Questions {
  return Object.fromEntries(
    tiles.map(({ collection, path, points }) => [
      `tile of ${points.toLocaleString('en-US')} points of ${collection}, ${how}`,
      () => ({ path }),
    ]),
  );
}

function measure(
  environment: Environment,
  questionsFor: (client: TimingClient) => Promise<Questions>,
  log: (line: string) => void,
): Promise<readonly TimedRow<string>[]> {
  return withServers(environment, (servers) =>
    withClients(SocketClient, servers, async (client, floor) => {
      const rows: TimedRow<string>[] = [];
      for (const [name, question] of Object.entries(await questionsFor(client))) {
        log(name);
        rows.push(await timeRow(name, { status: 200, question, warmUps: WARM_UPS }, client, floor));
      }
      return rows;
    }),
  );
}

function ogcTable(records: number, rows: readonly TimedRow<string>[]): Table {
  return {
    title: `OGC API over ${records} amounts`,
    columns: ['Request', 'times the floor', 'ms', 'p95 ms', 'floor ms', 'answer, KB'],
    rows: rows.map(({ name, median, p95, floor, bytes }) => [
      name,
      ...[median / floor, median, p95, floor].map((figure) => figure.toPrecision(2)),
      (bytes / 1000).toFixed(0),
    ]),
    notes: [],
  };
}
