// Damaged real submissions never cause a crash or a wrong publish. The report is correct about each rejected row,
// compared with a second, naive reading of the same files (plain-verdicts.ts).

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createItemRandom, type SeededRandom } from '../../bench/generate/seeded-random';
import type { Report } from '../../data-loaders/format/report';
import { mutations } from '../fixtures/mutations';
import { readPlainCsv } from '../fixtures/plain-csv';
import { judgeSubmission } from '../fixtures/plain-verdicts';
import { readRealFiles, realSubmissions, type SubmissionBytes, trimFiles } from '../fixtures/real-submissions';
import { findReportErrors, findServingErrors, type PlainAndServed, readServedRecords } from '../fixtures/served-truth';
import { chooseSeed, countCases } from '../fixtures/soak';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createTestService, type TestService } from '../fixtures/test-service';

/** Cases for each submission. */
const CASES = countCases(130, 0.05);
const SEED = chooseSeed(20_250_103);

/** The number of rows read from each file. */
const ROWS = 120;

/** High enough that many submissions are published although rows are rejected. */
const LIMIT = 0.5;

/** Far more than a case takes on a slow machine. */
const MS_PER_CASE = 20_000;

/** A file that is not CSV or cannot be read completely: a row of 16 MiB, or hundreds of broken quotes. */
const UNREADABLE =
  /^Refused: ([\w.]+)(?:, \S+)*: (.*is longer than \d+ bytes|.*have a quote that is not closed|it is (text in UTF-16|not text), not CSV.*|its lines end with carriage returns.*|its cells are separated by semicolons.*)\.$/;

const folder = createTemporaryFolder();

async function load(service: TestService, files: SubmissionBytes): Promise<Report> {
  const submission = mkdtempSync(join(folder, 'submission-'));
  for (const [name, content] of files) writeFileSync(join(submission, name), content);
  const rejectedDirectory = join(submission, 'rejected');
  const report = await service.loadFolder(submission, { rejectedShareLimit: LIMIT, rejectedDirectory });
  for (const { file, rejected } of report.files) {
    const path = join(rejectedDirectory, file.replace('.csv', '.rejected.csv'));
    const written = rejected === 0 ? [] : readPlainCsv(readFileSync(path)).rows;
    if (written.length !== rejected) throw new Error(`${path} has ${written.length} rows of ${rejected}`);
  }
  rmSync(submission, { recursive: true });
  return report;
}

interface Damaged {
  readonly files: SubmissionBytes;
  readonly damages: readonly string[];
}

/** One to three damages, half of them to the amounts file. Sometimes a file is missing completely. */
function damage(files: SubmissionBytes, amountsFile: string, random: SeededRandom): Damaged {
  const damaged = new Map(files);
  const damages: string[] = [];
  for (let count = random.integer(1, 3); count > 0; count--) {
    const name = random.chance(0.5) ? amountsFile : random.pick([...damaged.keys()]);
    const [kind, mutate] = random.pick(Object.entries(mutations));
    const isGone = random.chance(0.02);
    if (isGone) damaged.delete(name);
    else damaged.set(name, mutate(damaged.get(name) ?? Buffer.alloc(0), random));
    damages.push(`${name}: ${isGone ? 'gone' : kind}`);
  }
  return { files: damaged, damages };
}

describe.each(realSubmissions.map((submission, stream) => ({ ...submission, stream })))('$folder', (submission) => {
  const { folder: name, kind, stream } = submission;
  const service = createTestService();

  test(
    'damage of any kind never causes a crash or a wrong publish, and each rejected row has a correct reason',
    async () => {
      const original = trimFiles(readRealFiles(name), ROWS);
      const amountsFile = [...original.keys()].find((file) => /amounts|allocations/.test(file)) ?? '';
      expect((await load(service, original)).verdict).toBe('published');
      const earlier: PlainAndServed = {
        plain: judgeSubmission(original, kind, LIMIT),
        served: await readServedRecords(service, kind),
      };
      const verdicts = new Set<string>();
      const wrong: unknown[] = [];
      let before = earlier.served;
      for (let index = 0; index < CASES; index++) {
        const { files, damages } = damage(original, amountsFile, createItemRandom(SEED, stream, index));
        const plain = judgeSubmission(files, kind, LIMIT);
        const problems: string[] = [];
        try {
          const report = await load(service, files);
          const served = await readServedRecords(service, kind);
          const isRefused = report.verdict === 'refused';
          verdicts.add(report.verdict);
          if (UNREADABLE.test(report.sentence)) {
            const file = String(files.get(UNREADABLE.exec(report.sentence)?.[1] ?? ''));
            if (!/["\0\ufffd\r;]/.test(file)) problems.push(`not true: ${report.sentence}`);
          } else {
            problems.push(...findReportErrors(report, plain));
            if (isRefused !== plain.isRefused) problems.push(`it is ${report.sentence}`);
            if (!isRefused) problems.push(...findServingErrors(kind, { plain, served }, earlier));
          }
          if (isRefused && served.version !== before.version) problems.push('refused, and yet published');
          before = served;
        } catch (error) {
          problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
        }
        if (problems.length > 0) wrong.push({ index, damages, problems: problems.slice(0, 3) });
      }
      expect({ seed: SEED, wrong }).toEqual({ seed: SEED, wrong: [] });
      expect([...verdicts]).toEqual(expect.arrayContaining(['published', 'refused']));
    },
    CASES * MS_PER_CASE,
  );
});
