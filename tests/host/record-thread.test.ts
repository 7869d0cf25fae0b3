// The thread that makes the texts of records, as it was built, beside the same work without a thread.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { RecordMaker, type MadeEnd, type MadeRecords, type RowsToMake } from '../../data-loaders/build/record-maker';
import { ThreadedMaker } from '../../data-loaders/build/threaded-maker';
import { joinStaged } from '../../data-loaders/stage/staged-row';
import { PROJECT } from '../fixtures/host-process';
import { madeVariable, makerInput, stagedAmount } from '../fixtures/maker-input';

const PROGRAM = join(PROJECT, 'dist/data-loaders/publish/record-thread.js');
/** More than a piece of source rows. */
const MANY_ROWS = 60_000;

function batch(first: number, rows: number, memory = 0): RowsToMake {
  const numbers = Array.from({ length: rows }, (_, index) => first + index);
  const sources = numbers.map((number) => `S${number % 2},"two\nlines, \u00e9",${number}`);
  return {
    rows: joinStaged(numbers.map((number) => stagedAmount(`S${number % 2}`, number / 8))),
    sources: sources.join(''),
    sourceLengths: Uint32Array.from(sources, ({ length }) => length),
    lookups: ['S0', 'S1'].map((id) => ({
      places: [{ id, SiteTypeCV: 'Stream' }],
      variable: madeVariable,
      waterSource: undefined,
    })),
    lookupsOfRows: Uint32Array.from(numbers, (number) => number % 2),
    memory: rows === 1 ? undefined : new ArrayBuffer(memory),
  };
}

/** Long bytes by their digests: what differs is then said in a line. */
function summary(made: MadeRecords | MadeEnd): unknown {
  const digests = (views: readonly NodeJS.TypedArray[]): readonly string[] => views.map((view) => hash('sha256', view));
  const sourcePieces = digests(made.sourcePieces);
  if ('releaseId' in made) return { releaseId: made.releaseId, sourcePieces };
  return { made: digests([made.texts, made.ends, made.fingerprints]), sourcePieces };
}

const threads: ThreadedMaker[] = [];

function startThread(): ThreadedMaker {
  const thread = new ThreadedMaker(PROGRAM, makerInput);
  threads.push(thread);
  return thread;
}

afterAll(async () => {
  for (const thread of threads) await thread.close();
});

test('what a thread makes is what is made without one, in the order of the questions', async () => {
  const thread = startThread();
  const maker = new RecordMaker(makerInput);
  const lookups = Buffer.from('digests');
  const batches = [batch(0, 3), batch(3, MANY_ROWS), batch(MANY_ROWS + 3, 2, 10_000), batch(MANY_ROWS + 5, 1)];
  const expected = [...batches.map((rows) => maker.make({ ...rows, memory: undefined })), maker.finish(lookups)];
  const made = await Promise.all([...batches.map((rows) => thread.make(rows)), thread.finish(lookups)]);
  expect(expected.map(({ sourcePieces }) => sourcePieces.length)).toEqual([0, 1, 0, 0, 1]);
  expect(made.map(summary)).toEqual(expected.map(summary));
});

test('a failure in the thread is that of every question from there on', async () => {
  const thread = startThread();
  const broken = { ...batch(0, 2), lookups: [] };
  const settled = await Promise.allSettled([thread.make(batch(0, 2)), thread.make(broken), thread.make(batch(0, 2))]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  const reason = 'a row came without its lookups';
  const failure = { message: expect.stringContaining(reason) as unknown, cause: { message: reason } };
  await expect(thread.finish(Buffer.of())).rejects.toMatchObject(failure);
});

test('a thread that is closed leaves no question waiting', async () => {
  const thread = startThread();
  const asked = Promise.allSettled([thread.make(batch(0, MANY_ROWS))]);
  await thread.close();
  expect(await asked).toMatchObject([{ status: 'rejected' }]);
});
