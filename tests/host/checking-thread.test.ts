// The thread that checks the rows of large files, as it was compiled, compared with the same work without a thread.

import { join } from 'node:path';
import type { CheckedBatch } from '../../data-loaders/read/rows/checked-batch';
import { LetterCases } from '../../data-loaders/read/rows/letter-cases';
import type { FileToCheck } from '../../data-loaders/read/rows/row-checker';
import { RowCheckers, type AsyncRowChecker } from '../../data-loaders/read/rows/row-checkers';
import { PROJECT } from '../fixtures/host-process';

const PROGRAM = join(PROJECT, 'dist/data-loaders/read/rows/checking-thread.js');
const LARGE = Infinity;

const HEADER = 'SiteUUID,SiteName,SiteTypeCV,Longitude,Latitude,Geometry,Delete\n';
const SITES = Array.from({ length: 1_200 }, (_, index) => {
  const type = index % 700 === 0 ? 'CANAL' : 'Canal';
  if (index % 97 === 0) return `S${index},"open\n`;
  if (index % 89 === 0) return `S${index},too,short\n`;
  if (index % 83 === 0) return `S${index},gone,,,,,1\n`;
  return `S${index},"Upper ""${index}"", é",${type},-111.${index},40.5,"POLYGON ((0 0, 1 0, 1 1, 0 0))",\n`;
});

const file: FileToCheck = {
  ...{ name: 'sites.csv', encoding: 'utf-8', canDelete: true, from: undefined, header: undefined },
};

const checkers = new RowCheckers(PROGRAM);

afterAll(() => checkers.close());

/** The same of a batch that comes from another thread, whose collections are not those of the tests. */
function summary(batch: CheckedBatch) {
  const { texts, textEnds, deletions, findings } = batch;
  const columns = { texts: Buffer.from(texts).toString(), textEnds: [...textEnds] };
  return { ...batch, ...columns, deletions: [...deletions], findings: [...findings] };
}

/** All batches of a text, in pieces of so many bytes, whose memory is used again. */
async function batchesOf(checker: AsyncRowChecker, text: Buffer, length: number): Promise<readonly unknown[]> {
  const memory = Buffer.alloc(length);
  const pending: Promise<CheckedBatch>[] = [];
  const taken: unknown[] = [];
  const takeNext = async (): Promise<void> => {
    const batch = await pending.shift();
    if (batch === undefined) return;
    taken.push(summary(batch));
    checker.release(batch);
  };
  for (let at = 0; at < text.length; at += length) {
    const piece = memory.subarray(0, text.copy(memory, 0, at));
    pending.push(checker.take(piece, at + piece.length));
    while (pending.length > checker.ahead) await takeNext();
  }
  pending.push(checker.finish(text.length));
  while (pending.length > 0) await takeNext();
  return taken;
}

test('a thread finds what is found without one, file after file, though memory is used again', async () => {
  for (const length of [20_000, 3_001]) {
    const text = Buffer.from(HEADER + SITES.join(''));
    const [ofThread, here] = [new LetterCases(), new LetterCases()];
    const inThread = await batchesOf(checkers.start(file, LARGE, ofThread), text, length);
    const expected = await batchesOf(checkers.start(file, 0, here), text, length);
    expect(inThread).toEqual(expected);
    expect(inThread.length).toBeGreaterThan(3);
    expect(JSON.stringify(inThread)).toContain('CANAL (first: Canal)');
  }
});

test('a file that cannot be read to its end is told as without a thread, and the next file is read', async () => {
  const text = Buffer.from(`${HEADER}S1,${'x'.repeat(17 * 1024 * 1024)}`);
  const checker = checkers.start(file, LARGE, new LetterCases());
  await expect(batchesOf(checker, text, text.length)).rejects.toThrow('line 2 is longer than 16777216 bytes');
  const next = checkers.start(file, LARGE, new LetterCases());
  expect(await batchesOf(next, Buffer.from(`${HEADER}S1,a,b,1,2,,\n`), 1_000)).toMatchObject([
    { keys: ['S1'], lines: [2] },
    { lines: [] },
  ]);
});

test('a failure of the thread fails what is asked of it', async () => {
  const failing = new RowCheckers(PROGRAM);
  const checker = failing.start({ ...file, name: 'nothing.csv' }, LARGE, new LetterCases());
  const reason = /the thread that reads rows failed: .*nothing\.csv is not a file of a submission/;
  await expect(checker.take(Buffer.from('a'), 1)).rejects.toThrow(reason);
  await expect(checker.finish(1)).rejects.toThrow(reason);
  await failing.close();
});
