// Times each request and each walk, one request after another over one connection. Also times the floor in the same
// run: the same number of answers with the same number of bytes.

import { median, percentile } from './quantiles';
import { type BenchmarkRequest, type DataShape, type RequestName, SITE_AMOUNTS, USE_AND_TYPE } from './requests';
import type { TimingClient } from './timing-client';

/** Times are in milliseconds. */
export interface TimedRow<Name extends string = RequestName> {
  readonly name: Name;
  readonly median: number;
  readonly p95: number;
  readonly floor: number;
  readonly bytes: number;
}

/** Times are in milliseconds for the whole walk. */
export interface TimedWalk {
  readonly name: WalkName;
  readonly records: number;
  readonly median: number;
  readonly floor: number;
  readonly bytes: number;
}

export type WalkName = 'everything, 10,000 a page' | 'filtered, 100,000 records, 1,000 a page';

interface Walk {
  readonly name: WalkName;
  readonly query: string;
  readonly pageRecords: number;
  /** The walk ends after this many records. */
  readonly maxRecords: number;
}

/** Large enough that one disturbance does not affect the median. */
const ROW_TIMES = 25;
const WALK_TIMES = 3;

/** Large enough for the engine to compile the code for a row. */
const WARM_UPS = 5;
/** The number of the first cold request for warming up, after all timed requests. */
const WARM_UP_QUESTIONS = 500;

const WALKS: readonly Walk[] = [
  { name: 'everything, 10,000 a page', query: '', pageRecords: 10_000, maxRecords: Infinity },
  // The eastern state has nearly half of the sites, and they are scattered over the whole release.
  { name: 'filtered, 100,000 records, 1,000 a page', query: 'State=CO', pageRecords: 1000, maxRecords: 100_000 },
];

/** Finds the facts about the service's data that the requests depend on. */
export async function askShape(service: TimingClient, records: number, rights: number): Promise<DataShape> {
  const first = await service.askExpecting(200, { path: SITE_AMOUNTS });
  return { records, rights, useAndType: await askTotal(service, USE_AND_TYPE), entityTag: first.headers.etag };
}

export async function timeRow<Name extends string>(
  name: Name,
  request: BenchmarkRequest,
  service: TimingClient,
  floor: TimingClient,
): Promise<TimedRow<Name>> {
  const times: number[] = [];
  const floors: number[] = [];
  const sizes: number[] = [];
  for (let time = -(request.warmUps ?? WARM_UPS); time < ROW_TIMES; time++) {
    const question = request.question(time < 0 ? WARM_UP_QUESTIONS - time : time);
    const { milliseconds, body } = await service.askExpecting(request.status, question);
    const floorMilliseconds = await floor.askFloor(body.length);
    if (time < 0) continue;
    times.push(milliseconds);
    floors.push(floorMilliseconds);
    sizes.push(body.length);
  }
  return { name, median: median(times), p95: percentile(times, 0.95), floor: median(floors), bytes: median(sizes) };
}

export async function timeWalks(service: TimingClient, floor: TimingClient): Promise<TimedWalk[]> {
  const walks: TimedWalk[] = [];
  for (const walk of WALKS) walks.push(await timeWalk(walk, service, floor));
  return walks;
}

async function timeWalk(walk: Walk, service: TimingClient, floor: TimingClient): Promise<TimedWalk> {
  const records = Math.min(walk.maxRecords, await askTotal(service, walk.query));
  const times: number[] = [];
  const floors: number[] = [];
  let sizes: number[] = [];
  for (let time = 0; time < WALK_TIMES; time++) {
    let total = 0;
    let floorTotal = 0;
    sizes = [];
    for (let start = 0; start < records; start += walk.pageRecords) {
      const path = `${SITE_AMOUNTS}${walk.query}&StartIndex=${start}&RecordCount=${walk.pageRecords}`;
      const { milliseconds, body } = await service.askExpecting(200, { path });
      total += milliseconds;
      sizes.push(body.length);
    }
    for (const size of sizes) floorTotal += await floor.askFloor(size);
    times.push(total);
    floors.push(floorTotal);
  }
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { name: walk.name, records, median: median(times), floor: median(floors), bytes };
}

/** The number of site amounts that match the filter. */
async function askTotal(service: TimingClient, filter: string): Promise<number> {
  const { body } = await service.askExpecting(200, { path: `${SITE_AMOUNTS}${filter}&RecordCount=1` });
  // The shape defined by the specification.
  const envelope = JSON.parse(body.toString()) as { TotalSiteVariableAmountsCount: number };
  return envelope.TotalSiteVariableAmountsCount;
}
