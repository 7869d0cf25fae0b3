// Laws of the whole way from a submission to an answer, over random small submissions (seeded).

import fc from 'fast-check';
import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import { AMOUNTS_FILES, answerKey, plainRecords } from '../fixtures/plain-records';
import { pathOf, plainMatches, type PlainQuery } from '../fixtures/plain-search';
import { randomQuery, randomSubmission } from '../fixtures/random-submission';
import { soakCases } from '../fixtures/soak';
import type { Row, Submission } from '../fixtures/submission';
import { createTestService } from '../fixtures/test-service';

type Item = Readonly<Record<string, unknown>>;

const SEED = 20_240_506;
const SUBMISSIONS = soakCases(12, 0.3);

const service = createTestService();
const otherService = createTestService();

interface Page {
  readonly total: number;
  readonly items: readonly Item[];
  readonly text: string;
}

async function ask(kind: DataSetKind, query: PlainQuery, page = 'RecordCount=10000', from = service): Promise<Page> {
  const { status, json, text } = await from.get(pathOf(kind, query, page));
  if (status !== 200) throw new Error(text);
  const organizations = json.Organizations as Readonly<Record<DataSetKind, readonly Item[]>>[];
  return { total: json[`Total${kind}Count`], items: organizations.flatMap((one) => one[kind]), text };
}

const kinds = fc.constantFrom(...DATA_SET_KINDS);

async function forSubmissions(law: (submission: Submission) => Promise<void>): Promise<void> {
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: SUBMISSIONS })) {
    const report = await service.load(submission);
    expect(report.verdict).not.toBe('refused');
    await law(submission);
  }
}

test('any combination of filters finds what a plain scan of the rows finds', async () => {
  await forSubmissions(async (submission) => {
    for (const kind of DATA_SET_KINDS) {
      const records = plainRecords(kind, submission);
      for (const query of fc.sample(randomQuery(kind), { seed: SEED, numRuns: 60 })) {
        const { total, items } = await ask(kind, query);
        const expected = records.filter((record) => plainMatches(record, query)).map(({ key }) => key);
        expect({ query, keys: items.map((item) => answerKey(kind, item)).sort() }).toEqual({
          query,
          keys: expected.sort(),
        });
        expect(total).toBe(expected.length);
      }
    }
  });
});

test('pages of any size tile the whole result, and every page has the total', async () => {
  await forSubmissions(async () => {
    const walks = fc
      .tuple(kinds, fc.integer({ min: 1, max: 25 }))
      .chain(([kind, size]) => fc.tuple(fc.constant(kind), fc.constant(size), randomQuery(kind)));
    for (const [kind, size, query] of fc.sample(walks, { seed: SEED, numRuns: 15 })) {
      const whole = await ask(kind, query);
      const tiled: Item[] = [];
      for (let start = 0; start < whole.total + size; start += size) {
        const page = await ask(kind, query, `StartIndex=${start}&RecordCount=${size}`);
        expect(page.total).toBe(whole.total);
        expect(page.items).toHaveLength(Math.max(0, Math.min(size, whole.total - start)));
        tiled.push(...page.items);
      }
      expect(tiled).toEqual(whole.items);
    }
  });
});

test('two equal requests give equal bytes, also from the same rows in another order in another store', async () => {
  await forSubmissions(async (submission) => {
    const files = Object.keys(submission).map((file) => [file, withoutLaterKeys(file, submission)] as const);
    await service.load(Object.fromEntries(files));
    await otherService.load(Object.fromEntries(files.map(([file, rows]) => [file, [...rows].reverse()])));
    expect((await otherService.store.currentState()).version).toBe((await service.store.currentState()).version);
    for (const kind of DATA_SET_KINDS) {
      for (const query of fc.sample(randomQuery(kind), { seed: SEED, numRuns: 8 })) {
        const { text } = await ask(kind, query);
        expect((await ask(kind, query)).text).toBe(text);
        expect((await ask(kind, query, undefined, otherService)).text).toBe(text);
      }
    }
  });
});

/** Which of two rows with one key stays depends on their order, so later ones are left out. */
function withoutLaterKeys(file: string, submission: Submission): readonly Row[] {
  const rows = submission[file] ?? [];
  const kind = DATA_SET_KINDS.find((one) => AMOUNTS_FILES[one] === file);
  if (kind === undefined) return rows;
  const keys = rows.map((row) => plainRecords(kind, { ...submission, [file]: [row] })[0]?.key);
  return rows.filter((_, index) => keys.indexOf(keys[index]) === index);
}
