// The thread that builds records, as it was compiled, compared with the same work without a thread.

import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { RecordBuilderThread } from '../../data-loaders/build/builder-thread';
import type { BuiltPlaces } from '../../data-loaders/build/place-builder';
import {
  joinedRows,
  RecordBuilder,
  type BuiltBatch,
  type FinishedRecords,
  type RowBatch,
} from '../../data-loaders/build/record-builder';
import { builderInput, lookups, siteBatch, stagedAmount } from '../fixtures/builder-input';
import { PROJECT } from '../fixtures/host-process';
import { temporaryFolder } from '../fixtures/temporary-folder';

const folder = temporaryFolder();
let files = 0;

const PROGRAM = join(PROJECT, 'dist/data-loaders/build/record-thread.js');
const MANY_ROWS = 60_000;

function batch(first: number, rows: number): RowBatch {
  const numbers = Array.from({ length: rows }, (_, index) => first + index);
  const staged = numbers.map((number) => stagedAmount(`S${number % 2}`, number / 8));
  return {
    rows: joinedRows(staged.map((row) => ({ row }))),
    lookups: [lookups],
    lookupsOfRows: new Uint32Array(rows),
    places: Uint32Array.from(numbers, (number) => number % 2),
    placeEnds: Uint32Array.from(numbers.keys(), (index) => index + 1),
  };
}

/** Replaces long columns by their digests, so that a difference is one line. */
function summary(built: BuiltBatch | BuiltPlaces | FinishedRecords): unknown {
  const members = Object.entries(built).map(([name, value]: [string, unknown]) => [
    name,
    ArrayBuffer.isView(value) ? hash('sha256', value as NodeJS.TypedArray) : value,
  ]);
  return Object.fromEntries(members);
}

function input() {
  const own = join(folder, String(files++));
  mkdirSync(own);
  return { ...builderInput, folder: own };
}

const threads: RecordBuilderThread[] = [];

function startThread(): RecordBuilderThread {
  const thread = new RecordBuilderThread(PROGRAM, input());
  threads.push(thread);
  return thread;
}

afterAll(async () => {
  for (const thread of threads) await thread.close();
});

test('a thread builds what is built without one, in the order of the requests', async () => {
  const thread = startThread();
  const builder = new RecordBuilder(input());
  const sites = siteBatch(['S0', 'S1']);
  const digests = Buffer.from('digests');
  const batches = [batch(0, 3), batch(3, MANY_ROWS), batch(MANY_ROWS + 3, 2), batch(MANY_ROWS + 5, 1)];
  const expected = [builder.buildPlaces(sites), ...batches.map((rows) => builder.build(rows)), builder.finish(digests)];
  const requests = [thread.buildPlaces(sites), ...batches.map((rows) => thread.build(rows)), thread.finish(digests)];
  expect((await Promise.all(requests)).map(summary)).toEqual(expected.map(summary));
  builder.close();
});

test('a failure in the thread fails the request and every later one', async () => {
  const thread = startThread();
  await thread.buildPlaces(siteBatch(['S0', 'S1']));
  const broken = { ...batch(0, 2), lookups: [] };
  expect((await thread.build(batch(0, 2))).texts).toBeDefined();
  const settled = await Promise.allSettled([thread.build(broken), thread.build(batch(0, 2))]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const reason = 'a row came without its lookups';
  const failure = { message: expect.stringContaining(reason) as unknown, cause: { message: reason } };
  await expect(thread.finish(Buffer.of())).rejects.toMatchObject(failure);
});

test('closing a thread leaves no request pending', async () => {
  const thread = startThread();
  const requested = Promise.allSettled([thread.build(batch(0, MANY_ROWS))]);
  await thread.close();
  expect(await requested).toMatchObject([{ status: 'rejected' }]);
});
