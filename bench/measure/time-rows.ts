// The time of each request, one after the other over one connection, and beside it the floor: as many bytes, in the same run.

import { benchmarkRequests, type BenchmarkRequest, type DataShape, type RequestName } from './benchmark-requests';
import { HttpClient, type MeasuredServer, type TimedAnswer } from './http-client';
import { median, percentile } from './quantiles';

/** Times are milliseconds. */
export interface TimedRow {
  readonly name: RequestName;
  readonly median: number;
  readonly p95: number;
  readonly floor: number;
  readonly bytes: number;
}

/** For a median that one disturbance does not move. */
const TIMES = 25;

/** Until the engine has compiled what a row runs through. A cold row is other questions all along. */
const WARM_UPS = 5;

/** Where cold questions of the warm-up begin: after all that is timed. */
const WARM_UP_QUESTIONS = 500;

export async function timeRows(
  service: MeasuredServer,
  floor: MeasuredServer,
  shape: DataShape,
  names: readonly RequestName[],
): Promise<TimedRow[]> {
  const requests = benchmarkRequests(shape);
  const clients = { service: new HttpClient(service), floor: new HttpClient(floor) };
  const rows: TimedRow[] = [];
  try {
    for (const name of names) rows.push(await timeRow(name, requests[name], clients.service, clients.floor));
    return rows;
  } finally {
    clients.service.close();
    clients.floor.close();
  }
}

async function timeRow(
  name: RequestName,
  request: BenchmarkRequest,
  service: HttpClient,
  floor: HttpClient,
): Promise<TimedRow> {
  const times: number[] = [];
  const floors: number[] = [];
  const sizes: number[] = [];
  for (let time = -WARM_UPS; time < TIMES; time++) {
    const question = request.question(time < 0 ? WARM_UP_QUESTIONS - time : time);
    const answer = await service.ask(question);
    checkStatus(name, answer, request.status);
    const sent = await floor.askFloor(answer.bytes);
    if (time < 0) continue;
    times.push(answer.milliseconds);
    floors.push(sent.milliseconds);
    sizes.push(answer.bytes);
  }
  return { name, median: median(times), p95: percentile(times, 0.95), floor: median(floors), bytes: median(sizes) };
}

/** A benchmark of errors would be a fast one. */
export function checkStatus(name: string, answer: TimedAnswer, expected: number): void {
  if (answer.status !== expected) throw new Error(`${name}: ${answer.status} ${answer.body.toString()}`);
}
