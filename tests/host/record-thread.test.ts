// The thread that builds records, as it was compiled, compared with the same work without a thread.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import {
  RecordBuilder,
  type BuiltBatch,
  type FinishedRecords,
  type RowBatch,
} from '../../data-loaders/build/record-builder';
import { ThreadedRecordBuilder } from '../../data-loaders/build/threaded-record-builder';
import { joinStaged } from '../../data-loaders/stage/staged-amounts';
import { builderInput, lookupsAt, stagedAmount } from '../fixtures/builder-input';
import { PROJECT } from '../fixtures/host-process';

const PROGRAM = join(PROJECT, 'dist/data-loaders/build/record-thread.js');
/** So many rows that their source text is longer than one piece. */
const MANY_ROWS = 60_000;

function batch(first: number, rows: number, memory = 0): RowBatch {
  const numbers = Array.from({ length: rows }, (_, index) => first + index);
  const sources = numbers.map((number) => `S${number % 2},"two\nlines, \u00e9",${number}`);
  return {
    rows: joinStaged(numbers.map((number) => stagedAmount(`S${number % 2}`, number / 8))),
    sources: sources.join(''),
    sourceLengths: Uint32Array.from(sources, ({ length }) => length),
    lookups: ['S0', 'S1'].map(lookupsAt),
    lookupsOfRows: Uint32Array.from(numbers, (number) => number % 2),
    memory: rows === 1 ? undefined : new ArrayBuffer(memory),
  };
}

/** Replaces long bytes by their digests, so that a difference is one line. */
function summary(built: BuiltBatch | FinishedRecords): unknown {
  const digests = (views: readonly NodeJS.TypedArray[]): readonly string[] => views.map((view) => hash('sha256', view));
  const sourcePieces = digests(built.sourcePieces);
  if ('releaseId' in built) return { releaseId: built.releaseId, sourcePieces };
  return { built: digests([built.texts, built.ends, built.fingerprints]), sourcePieces };
}

const threads: ThreadedRecordBuilder[] = [];

function startThread(): ThreadedRecordBuilder {
  const thread = new ThreadedRecordBuilder(PROGRAM, builderInput);
  threads.push(thread);
  return thread;
}

afterAll(async () => {
  for (const thread of threads) await thread.close();
});

test('a thread builds what is built without one, in the order of the requests', async () => {
  const thread = startThread();
  const builder = new RecordBuilder(builderInput);
  const lookups = Buffer.from('digests');
  const batches = [batch(0, 3), batch(3, MANY_ROWS), batch(MANY_ROWS + 3, 2, 10_000), batch(MANY_ROWS + 5, 1)];
  const expected = [...batches.map((rows) => builder.build({ ...rows, memory: undefined })), builder.finish(lookups)];
  const built = await Promise.all([...batches.map((rows) => thread.build(rows)), thread.finish(lookups)]);
  expect(expected.map(({ sourcePieces }) => sourcePieces.length)).toEqual([0, 1, 0, 0, 1]);
  expect(built.map(summary)).toEqual(expected.map(summary));
});

test('a failure in the thread fails the request and every later one', async () => {
  const thread = startThread();
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
