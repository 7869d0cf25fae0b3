// What identifies records and places is found again where it was written, beyond what waits in memory.

import { chunkOfHash, hashOfDigest, recordsOfDigest, writeKeyHashes } from '../../shared/search/index/hashes';
import { readNumbers } from '../../shared/search/index/column-format';
import { digestNameOf } from '../../shared/values/digest';

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
  const read = chunks.map(readNumbers);
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
