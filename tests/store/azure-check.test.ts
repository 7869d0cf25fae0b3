// The questions of azure-check, asked on the emulator and on a proxy in front of it that acts like the service.

import { contractQuestion } from '../../tools/azure-check/contract-question';
import { documentCostQuestion, pageCostQuestion } from '../../tools/azure-check/cost-questions';
import { throttledQuestion, tooLargeQuestion } from '../../tools/azure-check/limit-questions';
import { publishQuestion } from '../../tools/azure-check/publish-question';
import { askAll, type Question, type Subject } from '../../tools/azure-check/question';
import { createReaderQuestion, readEverything, writeSomethingToRead } from '../../tools/azure-check/reader-question';
import { ScratchDatabase } from '../../tools/azure-check/scratch-database';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { startServerForTests } from '../fixtures/loopback-server';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const stagingDirectory = createTemporaryFolder();
const emulator = startServerForTests(startCosmosEmulator);
const { signal } = new AbortController();

let database: ScratchDatabase;

/** Runs the checks on the emulator itself, or on the proxy, which refuses what the service refuses. */
async function createSubject({ isEmulator = true, isProxied = false } = {}): Promise<Subject> {
  const location = emulator().newLocation();
  database = await ScratchDatabase.create(isProxied ? location : emulator().bypassProxy(location));
  return { database, stagingDirectory, isEmulator, signal };
}

afterEach(() => database.delete());

async function countDocuments(): Promise<number> {
  const containers = await database.containers();
  const pages = await Promise.all(containers.map((container) => container.items.readAll().fetchAll()));
  return pages.flatMap(({ resources }) => resources).length;
}

describe('on the emulator', () => {
  test('every check of the contract passes, and no documents are left behind', async () => {
    const subject = await createSubject();
    const { verdict, details } = await contractQuestion.answer(subject);
    expect([verdict, details]).toEqual(['PASS', [expect.stringMatching(/^(\d\d+) of \1 checks passed\.$/)]]);
    expect(await countDocuments()).toBe(0);
  }, 120_000);

  test('a second client sees each publish', async () => {
    const { verdict } = await publishQuestion.answer(await createSubject());
    expect(verdict).toBe('PASS');
  });

  const skipped: readonly (readonly [name: string, question: Question])[] = [
    ['roles', createReaderQuestion(undefined)],
    ['the size limit', tooLargeQuestion],
    ['throttling', throttledQuestion],
    ['costs of documents', documentCostQuestion],
    ['costs of pages', pageCostQuestion],
  ];

  test.each(skipped)('%s cannot be checked, and the report says why', async (_, question) => {
    const { verdict, details } = await question.answer(await createSubject());
    expect([verdict, details[0]]).toEqual(['SKIPPED', expect.stringContaining('The emulator')]);
  });
});

describe('on a stand-in for an account', () => {
  test('a document that is too large is refused with 413', async () => {
    const subject = await createSubject({ isEmulator: false, isProxied: true });
    const { verdict, details } = await tooLargeQuestion.answer(subject);
    emulator().refusals.length = 0;
    expect([verdict, details]).toEqual(['PASS', [expect.stringContaining('Answer 413')]]);
  });

  test('a service without a size limit fails', async () => {
    const { verdict } = await tooLargeQuestion.answer(await createSubject({ isEmulator: false }));
    expect(verdict).toBe('FAIL');
  });

  test('too many requests are refused with 429 and a time to wait', async () => {
    const subject = await createSubject({ isEmulator: false, isProxied: true });
    emulator().setFaultPlan({ next: (kind) => (kind === 'write' ? 'throttled' : undefined) });
    const { verdict, details } = await throttledQuestion.answer(subject);
    emulator().setFaultPlan(undefined);
    expect([verdict, details[0]]).toEqual(['PASS', expect.stringMatching(/^64 of 64 .* wait \d+ ms\.$/)]);
  });

  test('a service that never throttles fails', async () => {
    const { verdict } = await throttledQuestion.answer(await createSubject({ isEmulator: false }));
    expect(verdict).toBe('FAIL');
  });

  test('measured costs are shown next to both price lists', async () => {
    const { verdict, details } = await documentCostQuestion.answer(await createSubject({ isEmulator: false }));
    expect(verdict).toBe('PASS');
    expect(details).toContainEqual('read of 1 KB: measured 1 RU, model 1 (overview), 1 (size table)');
  });
});

describe("the reader's identity", () => {
  async function read(): Promise<{ exitCode: number; lines: readonly string[] }> {
    const lines: string[] = [];
    const location = { ...database.location, endpoint: emulator().newLocation().endpoint };
    const exitCode = await readEverything(location, stagingDirectory, (line) => lines.push(line));
    return { exitCode, lines };
  }

  test('can read everything, and the check fails if it can write', async () => {
    await writeSomethingToRead(await createSubject());
    const { exitCode, lines } = await read();
    expect(lines).toEqual([
      expect.stringMatching(/^(\d+) of \1 kinds of reads succeeded\.$/),
      'A write was NOT refused with 403.',
    ]);
    expect(exitCode).toBe(1);
  });

  test('lacks rights that the report names', async () => {
    await writeSomethingToRead(await createSubject());
    emulator().setFaultPlan({ next: (kind) => (kind === 'query' ? 'forbidden' : undefined) });
    const { exitCode, lines } = await read();
    emulator().setFaultPlan(undefined);
    expect(lines).toContainEqual(expect.stringMatching(/^Refused: all keys: /));
    expect(exitCode).toBe(1);
  });
});

describe('the report', () => {
  const passing: Question = {
    title: 'first',
    answer: () => Promise.resolve({ verdict: 'PASS', details: ['measured'] }),
  };
  const throwing: Question = { title: 'second', answer: () => Promise.reject(new Error('no such host')) };

  test('a question that throws fails, and the next one is still checked', async () => {
    const lines: string[] = [];
    const exitCode = await askAll([throwing, passing], await createSubject(), (line) => lines.push(line));
    expect(lines).toEqual([
      'FAIL    second',
      '        no such host',
      'PASS    first',
      '        measured',
      '1 passed, 1 failed, 0 skipped.',
    ]);
    expect(exitCode).toBe(1);
  });

  test('ends if it is interrupted, without checking another question', async () => {
    const controller = new AbortController();
    const interrupting: Question = {
      title: 'interrupting',
      answer: () => {
        controller.abort(new Error('Interrupted'));
        return passing.answer(subject);
      },
    };
    const subject: Subject = { ...(await createSubject()), signal: controller.signal };
    const lines: string[] = [];
    await expect(askAll([interrupting, passing], subject, (line) => lines.push(line))).rejects.toThrow('Interrupted');
    expect(lines).toEqual([]);
  });
});
