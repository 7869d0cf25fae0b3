// Does the role Cosmos DB Built-in Data Reader suffice for everything that the query app reads, and does it forbid
// writing? A separate process checks this with the reader's identity.

import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { EMPTY_STATE, type KeyUse } from '../../shared/store/catalog-types';
import { type CosmosLocation, toCallFailure } from '../../shared/store/cosmos/connect';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import { FRAGMENT_FAMILIES, type Store } from '../../shared/store/port';
import { keyRecord } from '../store-contract/catalog-contract';
import { createState, finishRelease, openExistingRelease } from '../store-contract/release-content';
import { type Answer, describeError, openSubject, type Question, type Subject } from './question';

/** A service principal with the role of readers. Its secret is in the environment. */
export interface ReaderIdentity {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export function createReaderQuestion(reader: ReaderIdentity | undefined): Question {
  return {
    title: 'Does the Data Reader role allow every query and forbid writing?',
    answer: (subject) => askReader(subject, reader),
  };
}

async function askReader(subject: Subject, reader: ReaderIdentity | undefined): Promise<Answer> {
  if (subject.isEmulator) return { verdict: 'SKIPPED', details: ['The emulator has no roles: any key will do.'] };
  if (reader === undefined) {
    return { verdict: 'SKIPPED', details: ['No reader was specified (--reader-tenant, --reader-client).'] };
  }
  await writeSomethingToRead(subject);
  const { endpoint, database } = subject.database.location;
  const { exitCode, output } = await runAsReader(['--endpoint', endpoint, '--as-reader', database], reader);
  return { verdict: exitCode === 0 ? 'PASS' : 'FAIL', details: output.trim().split('\n') };
}

/** Everything that a query app reads, each at least once: a release, a state, a key and its use. */
export async function writeSomethingToRead(subject: Subject): Promise<void> {
  const store = openSubject(subject);
  try {
    await finishRelease(store, RELEASE, 500);
    await store.publish(EMPTY_STATE.version, createState(RELEASE, '2024-01-01T00:00:00.000Z'));
    await store.keys.add(keyRecord(KEY));
    const lastUsedAt = '2024-01-01T00:00:00.000Z';
    const use: KeyUse = { day: '2024-01-01', keyId: KEY, requests: 1, records: 1, refused: 0, lastUsedAt };
    await store.usage.add([use]);
  } finally {
    await store.close();
  }
}

const RELEASE = 'for a reader';
const KEY = 'readable';

interface ReaderOutput {
  readonly exitCode: number | null;
  readonly output: string;
}

async function runAsReader(args: readonly string[], reader: ReaderIdentity): Promise<ReaderOutput> {
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    COSMOS_KEY: '',
    AZURE_TOKEN_CREDENTIALS: 'EnvironmentCredential',
    AZURE_TENANT_ID: reader.tenantId,
    AZURE_CLIENT_ID: reader.clientId,
    AZURE_CLIENT_SECRET: reader.clientSecret,
  };
  const [script = ''] = process.argv.slice(1);
  const child = spawn(process.execPath, [script, ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const output = await buffer(child.stdout);
  return { exitCode: await exited, output: output.toString() };
}

/** One read operation of the store. */
interface Read {
  readonly name: string;
  readonly run: (store: Store) => Promise<unknown>;
}

const READS: readonly Read[] = [
  { name: 'the current state', run: (store) => store.currentState() },
  { name: 'a state by its version', run: (store) => store.findState('00000000') },
  { name: 'the history', run: (store) => store.history() },
  { name: 'the list of releases', run: (store) => store.listReleases() },
  { name: 'a key', run: (store) => store.keys.find(KEY) },
  { name: 'all keys', run: (store) => store.keys.list() },
  { name: 'the usage of a key', run: (store) => store.usage.listForKey(KEY, ['2024-01-01']) },
  { name: 'all usage', run: (store) => store.documents.list('use') },
  { name: 'held submissions', run: (store) => store.held.list() },
  { name: 'a release, through every read method', run: readRelease },
];

async function readRelease(store: Store): Promise<void> {
  const [entry] = (await store.currentState()).entries;
  if (entry === undefined) throw new Error('nothing is published');
  const reader = await openExistingRelease(store, entry);
  const scattered = Uint32Array.of(0, 1, 2, 200, 300, 499);
  await reader.texts('records', scattered);
  await reader.measure('records', scattered);
  await reader.postings(['no such term']);
  for (const family of FRAGMENT_FAMILIES) {
    if (family !== 'records' && family !== 'lookups') await reader.blobs(family, new Uint32Array());
  }
  await reader.artifact('periods');
  await readAll(reader.parts());
  for await (const { pieces } of reader.sourceFiles()) await readAll(pieces());
  for (const check of ['quick', 'full'] as const) {
    const fault = await reader.findFault(check);
    if (fault !== undefined) throw new Error(fault);
  }
}

async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  let isDone = false;
  while (!isDone) isDone = (await iterator.next()).done === true;
}

/** Runs in the reader's process. Prints a line for each refused operation, and a final line. */
export async function readEverything(
  location: CosmosLocation,
  stagingDirectory: string,
  print: (line: string) => void,
): Promise<0 | 1> {
  const store = openCosmosStore(location, { stagingDirectory, now: () => new Date() });
  let refused = 0;
  try {
    for (const { name, run } of READS) {
      try {
        await run(store);
      } catch (error) {
        refused++;
        print(`Refused: ${name}: ${describeError(error)}`);
      }
    }
    const isWriteRefused = await isForbidden(store);
    print(`${READS.length - refused} of ${READS.length} kinds of reads succeeded.`);
    print(isWriteRefused ? 'A write was refused.' : 'A write was NOT refused with 403.');
    return refused === 0 && isWriteRefused ? 0 : 1;
  } finally {
    await store.close();
  }
}

async function isForbidden(store: Store): Promise<boolean> {
  try {
    await store.keys.add(keyRecord('written by a reader'));
    return false;
  } catch (error) {
    return toCallFailure(error)?.status === 403;
  }
}
