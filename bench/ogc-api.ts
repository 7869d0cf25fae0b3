// `npm run bench -- --ogc`: items, filters in CQL2, tiles and descriptions under /ogc, over HTTP, beside the floor of
// the same run. "Made anew" is asked of a server that keeps no answers, so that one tile can be drawn many times.

import { benchmarkVocabulary as vocabulary } from './generate/benchmark-vocabulary';
import { submissionKinds } from './generate/submissions';
import { loadedStore, makeFiles, readFiles } from './measure/loading';
import { type Environment, withServers } from './measure/programs';
import { anywhere } from './measure/requests';
import { SocketClient } from './measure/socket-client';
import { type TimedRow, timeRow } from './measure/time-requests';
import { type Question, type TimingClient, withClients } from './measure/timing-client';
import type { Table } from './report/table-text';

type Questions = Readonly<Record<string, (time: number) => Question>>;

/** A tile with about so many places is drawn: what a map of a state shows at first. */
const WANTED_POINTS = 50_000;

/** The zooms at which generated sites are so dense. */
const ZOOMS = [5, 6, 7];

const ITEMS = '/ogc/collections/';

const COLLECTIONS = [
  { collection: 'site-amounts', items: 'amounts' },
  { collection: 'allocations', items: 'rights' },
  { collection: 'sites', items: 'sites' },
  { collection: 'aggregated-amounts', items: 'amounts of areas' },
] as const;

/** The engine has compiled what a page of features runs through after about so many of them. */
const WARM_UPS = 60;

export async function ogcApi(records: number, log: (line: string) => void): Promise<readonly Table[]> {
  const store = await loadedStore({ name: `bench-${records}`, records, kinds: submissionKinds, log });
  await makeFiles(store, log);
  await readFiles(store);
  const rows = await measure(store.environment, askedOnce, log);
  const drawn = await measure(
    { ...store.environment, ANSWER_CACHE_MB: '0' },
    async (client) => tilesOf(await denseTiles(client), 'made anew'),
    log,
  );
  const again = await measure(
    store.environment,
    async (client) => tilesOf(await denseTiles(client), 'asked again'),
    log,
  );
  return [ogcTable(records, [...rows, ...drawn, ...again])];
}

/** The n-th question of each is another than those before it. */
async function askedOnce(client: TimingClient): Promise<Questions> {
  return { ...(await pagesOfItems(client)), ...filtersAndDescriptions };
}

async function pagesOfItems(client: TimingClient): Promise<Questions> {
  const questions: Record<string, (time: number) => Question> = {};
  for (const { collection, items } of COLLECTIONS) {
    const { headers } = await client.askExpecting(200, at(`${collection}/items?limit=1`));
    const total = Number(headers['x-total-count']);
    questions[`1,000 ${items}`] = (time) => at(`${collection}/items?offset=${anywhere(time, total)}`);
  }
  return questions;
}

const filtersAndDescriptions: Questions = {
  'OR, NOT and a range, 10 amounts': (time) => at(`site-amounts/items?limit=10&${filter(amountFilter(time))}`),
  'OR, NOT and a range, 1,000 amounts': (time) => at(`site-amounts/items?${filter(amountFilter(time + 1000))}`),
  'OR, NOT and a range, 10 rights': (time) => at(`allocations/items?limit=10&${filter(rightFilter(time))}`),
  'OR and NOT, 10 sites': (time) => at(`sites/items?limit=10&${filter(siteFilter(time))}`),
  'tile of zoom 6 with OR, NOT and a range': (time) =>
    at(`allocations/tiles/WebMercatorQuad/6/24/12?${filter(rightFilter(time + 1000))}`),
  'landing page': (time) => fromElsewhere('/ogc', time),
  collections: (time) => fromElsewhere('/ogc/collections', time),
  'one collection': (time) => fromElsewhere('/ogc/collections/sites', time),
  'API document': (time) => fromElsewhere('/ogc/api', time),
};

function at(path: string): Question {
  return { path: ITEMS + path };
}

/** A description has absolute links, so each name of the host gets one of its own. */
function fromElsewhere(path: string, time: number): Question {
  return { path, headers: { Host: `bench-${time + 1000}.test` } };
}

function filter(text: string): string {
  return `filter=${encodeURIComponent(text)}`;
}

function amountFilter(time: number): string {
  const [first, second] = vocabulary.uses;
  const types = `(BeneficialUseCV = '${first.name}' OR SiteTypeCV = 'Well' OR BeneficialUseCV = '${second.name}')`;
  return `${types} AND NOT County = '${vocabulary.counties[3] ?? ''}' AND Amount BETWEEN ${time / 8} AND ${1e6 + time}`;
}

function rightFilter(time: number): string {
  const uses = "(BeneficialUseCV = 'Irrigation' OR SiteTypeCV = 'Well')";
  const range = `AllocationPriorityDate BETWEEN DATE('${1850 + (Math.abs(time) % 40)}-01-01') AND DATE('1999-12-31')`;
  return `${uses} AND NOT County = '${vocabulary.counties[3] ?? ''}' AND ${range} AND AllocationFlow_CFS > ${time / 1e4}`;
}

function siteFilter(time: number): string {
  const counties = `NOT County IN ('${vocabulary.counties[Math.abs(time) % 100] ?? ''}', 'none ${time}')`;
  return `(SiteTypeCV = 'Well' OR SiteTypeCV = 'Spring') AND ${counties}`;
}

interface DenseTile {
  readonly collection: string;
  readonly path: string;
  readonly points: number;
}

/** The tile of each collection of points whose number of points is nearest to the wanted one. */
async function denseTiles(client: TimingClient): Promise<readonly DenseTile[]> {
  const tiles: DenseTile[] = [];
  for (const collection of ['sites', 'allocations']) {
    const found: DenseTile[] = [];
    for (const zoom of ZOOMS) {
      for (const path of pathsOfZoom(collection, zoom)) {
        const { headers } = await client.ask({ path });
        found.push({ collection, path, points: Number(headers['x-total-count']) });
      }
    }
    const distance = ({ points }: DenseTile): number => Math.abs(points - WANTED_POINTS);
    tiles.push(...found.toSorted((a, b) => distance(a) - distance(b)).slice(0, 1));
  }
  return tiles;
}

/** Those where the two states of the generated data are. */
function pathsOfZoom(collection: string, zoom: number): readonly string[] {
  const west = columnOf(-114, zoom);
  const east = columnOf(-102, zoom);
  const north = rowOf(41, zoom);
  const south = rowOf(37, zoom);
  return range(north, south).flatMap((row) =>
    range(west, east).map((column) => `${ITEMS}${collection}/tiles/WebMercatorQuad/${zoom}/${row}/${column}`),
  );
}

function columnOf(longitude: number, zoom: number): number {
  return Math.floor(((longitude + 180) / 360) * 2 ** zoom);
}

function rowOf(latitude: number, zoom: number): number {
  const angle = (latitude * Math.PI) / 180;
  return Math.floor(((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * 2 ** zoom);
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function tilesOf(tiles: readonly DenseTile[], how: string): Questions {
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
