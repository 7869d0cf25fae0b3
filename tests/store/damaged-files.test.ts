// Damage inside the files of a release (ADR 0050): wherever bytes are changed, a read returns what was written or
// fails.

import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReleaseReader, Store } from '../../shared/store/port';
import { openEmbeddedStore } from '../../shared/store/sqlite/embedded-store';
import {
  createFacts,
  openExistingRelease,
  readRecords,
  writeRecords,
} from '../../tools/store-contract/release-content';
import { overwrite } from '../fixtures/changed-releases';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const RECORDS = 900;
const TERMS = 4000;
const DAMAGES_PER_FILE = 16;

const folder = createTemporaryFolder();
const facts = createFacts('damaged', RECORDS);
const FILES = { index: `releases/${facts.releaseId}.sqlite`, records: `releases/${facts.releaseId}.sqlite.blocks` };
const whole = join(folder, 'whole');

let copies = 0;

beforeAll(async () => {
  const store = openEmbeddedStore(whole);
  const writer = await store.startRelease();
  writeRecords(writer, RECORDS);
  for (let number = 0; number < 50; number++) writer.addFragment('geometries', Buffer.from(`geometry ${number}`));
  for (let number = 0; number < TERMS; number++) writer.addPosting(`term:${number}`, Buffer.from(`list ${number}`));
  writer.addArtifact('vocabulary', [Buffer.alloc(50_000, 'vocabulary ')]);
  for (let piece = 0; piece < 3; piece++) writer.addSourcePiece('sites.csv', Buffer.alloc(9000, `row ${piece} `));
  await writer.finish(facts);
  await store.close();
});

function openCopy(): { readonly directory: string; readonly store: Store } {
  copies++;
  const directory = join(folder, `copy-${copies}`);
  cpSync(whole, directory, { recursive: true });
  return { directory, store: openEmbeddedStore(directory) };
}

/** Everything that callers read from a release, each in a separate read. */
const READS: Readonly<Record<string, (reader: ReleaseReader) => Promise<unknown>>> = {
  facts: (reader) => Promise.resolve(reader.facts),
  vocabulary: async (reader) => toText(await reader.artifact('vocabulary')),
  'an artifact that was never written': async (reader) => toText(await reader.artifact('owners')),
  'all terms': async (reader) => {
    const terms = Array.from({ length: TERMS }, (_, number) => `term:${number}`);
    return (await reader.postings(terms)).map(toText);
  },
  'terms that were never written': async (reader) => (await reader.postings(['term:-1', 'other:1'])).map(toText),
  'all records': (reader) => readRecords(reader, [...Array(RECORDS).keys()]),
  'single records': (reader) => readRecords(reader, [3, 400, 777]),
  geometries: async (reader) => (await reader.blobs('geometries', Uint32Array.of(0, 7, 49))).map(toText),
  parts: async (reader) => {
    const parts: string[] = [];
    for await (const part of reader.parts()) parts.push(JSON.stringify(part));
    return parts.length;
  },
  'source rows': async (reader) => {
    const texts: (string | undefined)[] = [];
    for await (const { name, pieces } of reader.sourceFiles()) {
      texts.push(name);
      for await (const piece of pieces()) texts.push(toText(piece));
    }
    return texts;
  },
};

function toText(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('base64');
}

async function readAll(store: Store): Promise<Readonly<Record<string, unknown>>> {
  const results: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(READS)) {
    try {
      results[name] = await read(await openExistingRelease(store, facts));
    } catch {
      results[name] = 'failed';
    }
  }
  return results;
}

type Damage = (path: string, offset: number) => void;

const DAMAGES: Readonly<Record<string, Damage>> = {
  'overwritten bytes': overwrite,
  'one flipped bit': (path, offset) => {
    const bytes = readFileSync(path);
    bytes[offset] = (bytes[offset] ?? 0) ^ 4;
    writeFileSync(path, bytes);
  },
  'a page of zeros': (path, offset) => {
    const bytes = readFileSync(path);
    const start = offset - (offset % 4096);
    bytes.fill(0, start, start + 4096);
    writeFileSync(path, bytes);
  },
};

describe.each(Object.keys(DAMAGES))('%s', (damage) => {
  test.each(Object.keys(FILES) as (keyof typeof FILES)[])(
    'anywhere in the %s never changes what is read',
    async (file) => {
      const intact = openCopy();
      const expected = await readAll(intact.store);
      expect(Object.values(expected)).not.toContain('failed');
      await intact.store.close();
      const bytes = statSync(join(whole, FILES[file])).size;
      for (let number = 0; number < DAMAGES_PER_FILE; number++) {
        const offset = Math.floor((bytes * number) / DAMAGES_PER_FILE) + number;
        const { directory, store } = openCopy();
        const path = join(directory, FILES[file]);
        const before = readFileSync(path);
        DAMAGES[damage]?.(path, offset);
        if (before.equals(readFileSync(path))) continue;
        const read = await readAll(store);
        for (const [name, value] of Object.entries(read)) {
          if (value !== 'failed') expect({ offset, name, value }).toEqual({ offset, name, value: expected[name] });
        }
        const check = async (): Promise<string | undefined> =>
          (await openExistingRelease(store, facts)).findFault('full').catch(() => 'not readable');
        expect({ offset, fault: await check().catch(() => 'cannot be opened') }).not.toEqual({
          offset,
          fault: undefined,
        });
        await store.close();
      }
    },
  );
});

test('a quick check finds damage within a few probes, without other reads, and in open files', async () => {
  const { directory, store } = openCopy();
  const reader = await openExistingRelease(store, facts);
  const probe = async (): Promise<readonly (string | undefined)[]> => [
    await reader.findFault('quick'),
    await reader.findFault('quick'),
    await reader.findFault('quick'),
  ];
  expect(await probe()).toEqual([undefined, undefined, undefined]);
  const path = join(directory, FILES.records);
  const before = readFileSync(path);
  overwrite(path, 5000);
  expect(await probe()).toContain('its content does not match its checksum');
  // Damage stays reported until the file is replaced.
  expect((await probe())[0]).toBeDefined();
  writeFileSync(path, before);
  expect(await probe()).toEqual([undefined, undefined, undefined]);
  await store.close();
});

test('the next quick check remembers damage that a read has found', async () => {
  const { directory, store } = openCopy();
  overwrite(join(directory, FILES.records), 100);
  const reader = await openExistingRelease(store, facts);
  await expect(async () => readRecords(reader, [0])).rejects.toThrow(`the release ${facts.releaseId} is damaged`);
  expect(await reader.findFault('quick')).toBe('its content does not match its checksum');
  await store.close();
});
