// What identifies records and places is found again where it was written, beyond what waits in memory.

import { join } from 'node:path';
import { IdentifierTerms } from '../../data-loaders/build/posting-lists';
import type { AllocationRow } from '../../data-loaders/format/amount-definitions';
import { readRecordSet } from '../../shared/search/index/record-set';
import { temporaryFolder } from '../fixtures/temporary-folder';
import {
  chunkOfHash,
  hashOfDigest,
  readKeyHashes,
  recordsOfDigest,
  writeKeyHashes,
} from '../../shared/search/index/hashes';
import { digestNameOf } from '../../shared/values/digest';

/** The columns that are read. */
function right(members: Partial<AllocationRow>): AllocationRow {
  const columns = { AllocationUUID: null, AllocationNativeID: null, AllocationOwner: null };
  return { ...columns, ...members } as unknown as AllocationRow;
}

test('posting lists of identifiers come in the order of their terms, with those who have any', async () => {
  const terms = new IdentifierTerms(join(folder, 'terms'));
  const count = 40_000;
  for (let record = 0; record < count; record++) terms.add(record, right({ AllocationUUID: `é${count - record}` }));
  terms.add(count, right({ AllocationUUID: `É1`, AllocationOwner: 'Town' }));
  const written = new Map<string, Uint8Array>();
  const artifacts: string[] = [];
  let drains = 0;
  const shared: unknown[] = [];
  const writer = {
    addPosting: (text: string, content: Uint8Array) => written.set(text, content.slice()),
    addArtifact: (name: string) => artifacts.push(name),
    drain: () => {
      drains++;
      return Promise.resolve();
    },
  };
  await terms.writeTo(writer, { addSharing: (...sharing) => shared.push(sharing) });
  terms.close();
  const [presence, ...identifiers] = [...written.keys()].reverse();
  expect(drains).toBeGreaterThan(1);
  expect(identifiers).toHaveLength(count);
  expect(identifiers.reverse()).toEqual([...identifiers].sort());
  const recordsOf = (text = ''): readonly number[] => [...readRecordSet(written.get(text) ?? Buffer.of()).numbers()];
  expect(recordsOf(identifiers[0])).toEqual([count - 1, count]);
  expect(recordsOf(presence)).toHaveLength(count + 1);
  expect(artifacts).toEqual(['owners']);
  expect(shared).toEqual([['allocationUuid', [count - 1, count]]]);
});

test.each([0, 1, 3, 65_536, 65_537, 150_000])('of %d records each is in its chunk', (count) => {
  const digests = Array.from({ length: count }, (_, record) => digestNameOf(String(record)));
  // Two records of one hash.
  if (count > 2) digests[2] = `${(digests[1] ?? '').slice(0, 8)}ffffffffffffffffffffffff`;
  const chunks: Uint8Array[] = [];
  const hashes = digests.map(hashOfDigest);
  writeKeyHashes({ length: count, pieces: () => [hashes.slice(0, 100), hashes.slice(100)] }, (chunk, content) => {
    expect(chunk).toBe(chunks.push(content) - 1);
  });
  expect(chunks).toHaveLength(Math.ceil(count / 65_536));
  const read = chunks.map(readKeyHashes);
  const missed = digests.filter((digest, record) => {
    const chunk = read[chunkOfHash(hashOfDigest(digest), count)];
    return chunk === undefined || !recordsOfDigest(chunk, digest).includes(record);
  });
  expect(missed).toEqual([]);
  if (read[0] !== undefined && count > 2) {
    const shared = read[chunkOfHash(hashOfDigest(digests[1] ?? ''), count)] ?? new Float64Array();
    expect(recordsOfDigest(shared, digests[2] ?? '')).toEqual(expect.arrayContaining([1, 2]));
  }
});

const folder = temporaryFolder();
