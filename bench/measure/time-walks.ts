// Walks: page after page, as who fetches all of something does; the floor is as many answers of the same lengths.

import { SITE_AMOUNTS } from './benchmark-requests';
import { askTotal } from './data-shape';
import { HttpClient, type MeasuredServer, type TimedAnswer } from './http-client';
import { median } from './quantiles';
import { checkStatus } from './time-rows';

export interface TimedWalk {
  readonly name: WalkName;
  readonly records: number;
  /** Milliseconds, of the whole walk. */
  readonly median: number;
  readonly floor: number;
  readonly bytes: number;
}

export type WalkName = 'everything, 10,000 a page' | 'filtered, 100,000 records, 1,000 a page';

interface Walk {
  readonly name: WalkName;
  readonly query: string;
  readonly pageRecords: number;
  /** Where it ends, if there are so many. */
  readonly atMost: number;
}

const WALKS: readonly Walk[] = [
  { name: 'everything, 10,000 a page', query: '', pageRecords: 10_000, atMost: Infinity },
  // What lies in the eastern state: nearly half of the sites, strewn over the whole release.
  { name: 'filtered, 100,000 records, 1,000 a page', query: 'State=CO', pageRecords: 1000, atMost: 100_000 },
];

const TIMES = 3;

export async function timeWalks(service: MeasuredServer, floor: MeasuredServer): Promise<TimedWalk[]> {
  const clients = { service: new HttpClient(service), floor: new HttpClient(floor) };
  try {
    const walks: TimedWalk[] = [];
    for (const walk of WALKS) {
      walks.push(await timeWalk(walk, clients.service, clients.floor));
    }
    return walks;
  } finally {
    clients.service.close();
    clients.floor.close();
  }
}

async function timeWalk(walk: Walk, service: HttpClient, floor: HttpClient): Promise<TimedWalk> {
  const records = Math.min(walk.atMost, await askTotal(service, walk.query));
  const times: number[] = [];
  const floors: number[] = [];
  let sizes: readonly number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const answers = await pages(walk, records, service);
    sizes = answers.map((answer) => answer.bytes);
    times.push(millisecondsOf(answers));
    floors.push(millisecondsOf(await answersOfSizes(sizes, floor)));
  }
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { name: walk.name, records, median: median(times), floor: median(floors), bytes };
}

async function pages(walk: Walk, records: number, service: HttpClient): Promise<TimedAnswer[]> {
  const answers: TimedAnswer[] = [];
  for (let start = 0; start < records; start += walk.pageRecords) {
    const path = `${SITE_AMOUNTS}${walk.query}&StartIndex=${start}&RecordCount=${walk.pageRecords}`;
    const answer = await service.ask({ method: 'GET', path, headers: {} });
    checkStatus(walk.name, answer, 200);
    answers.push(answer);
  }
  return answers;
}

async function answersOfSizes(sizes: readonly number[], floor: HttpClient): Promise<TimedAnswer[]> {
  const answers: TimedAnswer[] = [];
  for (const size of sizes) answers.push(await floor.askFloor(size));
  return answers;
}

function millisecondsOf(answers: readonly TimedAnswer[]): number {
  return answers.reduce((sum, answer) => sum + answer.milliseconds, 0);
}
