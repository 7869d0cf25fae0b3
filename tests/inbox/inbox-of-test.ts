// An inbox for each test of the contract, and the steps that the tests take with it.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Claim, Inbox } from '../../data-loaders/intake/inbox';
import type { SettledAs } from '../../data-loaders/intake/inbox-storage';

export interface TestInbox {
  readonly open: (now: () => Date, quietMs?: number) => Promise<Inbox>;
  /** An inbox whose storage fails permanently after some operations, as if the process were killed there. */
  readonly openBreaking: (now: () => Date, operations: number) => Promise<{ inbox: Inbox; heal: () => Promise<void> }>;
  readonly put: (path: string, text: string) => Promise<void>;
  /** Removes a file, or a folder with its content. */
  readonly clear: (path: string) => Promise<void>;
  /** The contents of all files in waiting/, accepted/ and refused/, keyed by path. */
  readonly files: () => Promise<Readonly<Record<string, string>>>;
}

export const LEASE_MS = 300_000;

const START = Date.parse('2026-01-02T03:04:05Z');

export const submission = { 'sites.csv': 'the sites', 'notes/read me.txt': 'ü', 'submission.json': '{}' };
export const report = { 'report.json': '{"verdict":1}', 'report.md': 'the report', 'sites.rejected.csv': 'a row' };

export function below(prefix: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${prefix}/${path}`, text]));
}

export interface InboxOfTest {
  world: TestInbox;
  inbox: Inbox;
  /** The clock of every inbox of the test, in milliseconds since 1970. */
  time: number;
  readonly now: () => Date;
  readonly workFolder: () => string;
  readonly reportFolder: () => string;
  readonly submit: (as: string, files?: Readonly<Record<string, string>>) => Promise<void>;
  /** Throws if the submission cannot be claimed. */
  readonly claimed: (as: string, from?: Inbox) => Promise<Claim>;
  /** Settles the submission `one`. */
  readonly settle: (as: SettledAs, from?: Inbox) => Promise<void>;
}

/** Creates a new inbox before each test of the current suite. */
export function inboxForEachTest(createInbox: () => Promise<TestInbox>, folder: string): InboxOfTest {
  const workFolder = (): string => mkdtempSync(join(folder, 'work-'));
  const at = {
    time: START,
    now: () => new Date(at.time),
    workFolder,
    reportFolder: () => {
      const reports = workFolder();
      for (const [path, text] of Object.entries(report)) writeFileSync(join(reports, path), text);
      return reports;
    },
    submit: async (as, files = submission) => {
      for (const [path, text] of Object.entries(files)) await at.world.put(`waiting/${as}/${path}`, text);
    },
    claimed: async (as, from = at.inbox) => {
      const claim = await from.claim(as);
      if (claim === undefined) throw new Error(`${as} cannot be claimed`);
      return claim;
    },
    settle: async (as, from = at.inbox) => {
      const claim = await at.claimed('one', from);
      await claim.files();
      expect(await claim.settle(as, at.reportFolder())).toBe('settled');
    },
  } as InboxOfTest; // The other members are set before each test.
  beforeEach(async () => {
    at.world = await createInbox();
    at.time = START;
    at.inbox = await at.world.open(at.now);
  });
  return at;
}
