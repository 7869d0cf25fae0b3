// The documents of a release on Cosmos DB: people can read them, and damage is detected (docs/cosmos.md).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMPTY_STATE } from '../../shared/store/catalog-types';
import { connect, type ContainerName, type CosmosLocation } from '../../shared/store/cosmos/connect';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import type { CosmosDocument } from '../../shared/store/cosmos/document-names';
import { DamagedReleaseError } from '../../shared/store/damaged-release';
import type { ReleaseReader, Store } from '../../shared/store/port';
import {
  createFacts,
  createState,
  openExistingRelease,
  readRecords,
  writeRecordText,
} from '../../tools/store-contract/release-content';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { PROJECT } from '../fixtures/host-process';
import { startServerForTests } from '../fixtures/loopback-server';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

type Document = CosmosDocument & Readonly<Record<string, unknown>>;

const RECORDS = 900;
const stagingDirectory = createTemporaryFolder();
const emulator = startServerForTests(startCosmosEmulator);
const stores: Store[] = [];
let location: CosmosLocation;

beforeEach(() => {
  location = emulator().newLocation();
});

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

/** An instance with empty caches. */
function openStore(): Store {
  const store = openCosmosStore(location, { stagingDirectory, now: () => new Date('2026-01-01T00:00:00.000Z') });
  stores.push(store);
  return store;
}

async function writeRelease(): Promise<void> {
  const writer = await openStore().startRelease();
  for (let number = 0; number < 10; number++) {
    writer.addFragment(
      'lookups',
      JSON.stringify({ SiteUUID: `S${number}`, WaterSources: [{ b: 1, a: { z: 1, y: 2 } }] }),
    );
  }
  for (let number = 0; number < RECORDS; number++) writer.addFragment('records', writeRecordText(number), [number % 3]);
  writer.addFragment('geometries', Uint8Array.of(1, 2, 3));
  writer.addFragment('places', Uint8Array.of(4, 5, 6));
  writer.addPosting('county:cache', Uint8Array.of(1, 2, 3));
  writer.addArtifact('periods', [Uint8Array.of(5, 6)]);
  await writer.finish(createFacts('release', RECORDS));
}

function openReader(): Promise<ReleaseReader> {
  return openExistingRelease(openStore(), createFacts('release', RECORDS));
}

async function listDocuments(container: ContainerName): Promise<readonly Document[]> {
  const { containers, close } = await connect(emulator().bypassProxy(location));
  const { resources } = await containers[container].items.readAll<Document>().fetchAll();
  close();
  return resources;
}

/** Replaces each document for which `edit` returns another document. */
async function editDocuments(
  container: ContainerName,
  edit: (document: Document) => Document | undefined,
): Promise<void> {
  const { containers, close } = await connect(emulator().bypassProxy(location));
  for (const document of await listDocuments(container)) {
    const edited = edit(document);
    if (edited !== undefined) await containers[container].items.upsert(edited);
  }
  close();
}

test('documents in the container data contain whole objects, with organization, data set and release', async () => {
  await writeRelease();
  const documents = await listDocuments('data');
  const { releaseId: release } = createFacts('release', RECORDS);
  for (const document of documents) {
    expect(document).toMatchObject({ organization: 'ORG_1', dataSet: 'SiteVariableAmounts', release });
  }
  const records = documents
    .filter(({ kind }) => kind === 'records')
    .sort((a, b) => Number(a['first']) - Number(b['first']));
  expect(records.flatMap((document) => document['records'])).toEqual(
    Array.from({ length: RECORDS }, (_, number) => JSON.parse(writeRecordText(number)) as unknown),
  );
  const sites = documents.filter(({ kind }) => kind === 'sites').flatMap((document) => document['items']);
  expect(sites).toContainEqual({ SiteUUID: 'S7', WaterSources: [{ b: 1, a: { z: 1, y: 2 } }] });
  expect(documents.every(({ kind }) => kind === 'records' || kind === 'sites')).toBe(true);
});

/** Reorders the members of a value at all depths. */
function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member)]),
  );
}

test('texts are the same when the service returns members in another order', async () => {
  await writeRelease();
  const numbers = [0, 3, 400, 401, 899];
  const expected = numbers.map(writeRecordText).join(',');
  await editDocuments('data', (document) => reverseMembers(document) as Document);
  const reader = await openReader();
  expect(await readRecords(reader, numbers)).toBe(expected);
  const lookups = await reader.texts('lookups', Uint32Array.of(7));
  const text = Buffer.alloc(lookups.byteLength);
  lookups.copyTo(text, 0);
  expect(text.toString()).toBe('{"SiteUUID":"S7","WaterSources":[{"b":1,"a":{"z":1,"y":2}}]}');
  expect(await reader.findFault('full')).toBeUndefined();
});

test.each<readonly [what: string, edit: (document: Document) => Document | undefined]>([
  ['an amount', (document) => changeRecord(document, (record) => ({ ...record, filling: 'other' }))],
  ['a missing member', (document) => changeRecord(document, ({ number }) => ({ number }))],
  [
    'the lookups of a record',
    (document) => (document['kind'] === 'records' ? { ...document, references: [[9]] } : undefined),
  ],
  ['an additional record', (document) => changeRecords(document, (records) => [...records, records[0]])],
  ['records of another release', (document) => ({ ...document, release: 'other' })],
])('detects a change in a document of data: %s', async (_, edit) => {
  await writeRelease();
  await editDocuments('data', edit);
  const reader = await openReader();
  await expect(readRecords(reader, [0])).rejects.toThrow(DamagedReleaseError);
  expect(await reader.findFault()).toBe('some of its documents do not match their checksums');
  expect(await (await openReader()).findFault('full')).toBe('some of its documents do not match their checksums');
});

function changeRecords(
  document: Document,
  change: (records: readonly Members[]) => readonly unknown[],
): Document | undefined {
  if (document['kind'] !== 'records') return undefined;
  return { ...document, records: change(document['records'] as readonly Members[]) };
}

function changeRecord(document: Document, change: (record: Members) => Members): Document | undefined {
  return changeRecords(document, ([first = {}, ...others]) => [change(first), ...others]);
}

type Members = Readonly<Record<string, unknown>>;

test.each(['geometries', 'places', 'terms', 'pieces'])(
  'detects a change in a document of the index: %s',
  async (family) => {
    await writeRelease();
    await editDocuments('index', (document) => {
      if (!document.partition.includes(`/${family}/`)) return undefined;
      const text = JSON.stringify(document['content']);
      const changed = text.replace(/[A-Za-z](?=[^A-Za-z]*$)/, (letter) => (letter === 'A' ? 'B' : 'A'));
      return { ...document, content: JSON.parse(changed) as unknown };
    });
    expect(await (await openReader()).findFault('full')).toBe('some of its documents do not match their checksums');
  },
);

test('a damaged release is repaired by the next write of the same release', async () => {
  await writeRelease();
  await editDocuments('data', (document) => ({ ...document, digest: 0 }));
  await writeRelease();
  const reader = await openReader();
  expect(await reader.findFault('full')).toBeUndefined();
  expect(await readRecords(reader, [5])).toBe(writeRecordText(5));
});

/**
 * The container of version 1.0.0 with a small submission, as that program wrote it, but without the pieces of contents.
 */
function readFormerContainer(): readonly CosmosDocument[] {
  const path = join(PROJECT, 'tests', 'fixtures', 'cosmos-container-1.0.0.json');
  return JSON.parse(readFileSync(path, 'utf8')) as readonly CosmosDocument[]; // The file is part of this project.
}

test('a database of version 1.0.0 is refused with the commands for migrating it, and not changed', async () => {
  const { endpoint, database } = emulator().bypassProxy(location);
  const headers = { 'content-type': 'application/json', authorization: 'none', 'x-ms-date': new Date().toUTCString() };
  const container = `dbs/${database}/colls/releases`;
  const create = async (path: string, content: object, partition?: string): Promise<void> => {
    const keyed = partition === undefined ? {} : { 'x-ms-documentdb-partitionkey': JSON.stringify([partition]) };
    const init = { method: 'POST', headers: { ...headers, ...keyed }, body: JSON.stringify(content) };
    expect((await fetch(`${endpoint}${path}`, init)).status).toBe(201);
  };
  const readAll = async (): Promise<unknown> => (await fetch(`${endpoint}${container}/docs`, { headers })).json();
  await create('dbs', { id: database });
  await create(`dbs/${database}/colls`, { id: 'releases', partitionKey: { paths: ['/partition'], kind: 'Hash' } });
  for (const document of readFormerContainer()) await create(`${container}/docs`, document, document.partition);
  const before = await readAll();
  const store = openStore();
  const message = await store.currentState().then(String, (error: unknown) => (error as Error).message);
  const commands = [...message.matchAll(/npm run releases -- [a-z]+( --(from|to) [a-z]+| --keys)*/g)].map(
    ([text]) => text,
  );
  expect(commands).toEqual([
    'npm run releases -- copy --from cosmos --to embedded --keys',
    'npm run releases -- rebuild',
    'npm run releases -- copy --from embedded --to cosmos --keys',
  ]);
  await expect(store.publish(EMPTY_STATE.version, createState('a', '2026-01-01T00:00:00.000Z'))).rejects.toThrow(
    message,
  );
  expect(await readAll()).toEqual(before);
  const containers = await (await fetch(`${endpoint}dbs/${database}/colls`, { headers })).json();
  expect(containers).toMatchObject({ DocumentCollections: [{ id: 'releases' }] });
});
