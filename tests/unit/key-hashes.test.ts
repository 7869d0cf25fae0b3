// Each record is found by its digest in the chunk that the digest names.

import {
  chunkOfHash,
  hashOfDigest,
  readKeyHashes,
  recordsOfDigest,
  writeKeyHashes,
} from '../../shared/search/index/key-hashes';
import { digestNameOf } from '../../shared/values/digest';

test.each([0, 1, 3, 65_536, 65_537, 150_000])('of %d records each is in its chunk', (count) => {
  const digests = Array.from({ length: count }, (_, record) => digestNameOf(String(record)));
  // Two records of one hash.
  if (count > 2) digests[2] = `${(digests[1] ?? '').slice(0, 8)}ffffffffffffffffffffffff`;
  const chunks: Uint8Array[] = [];
  writeKeyHashes(digests.map(hashOfDigest), (chunk, content) => {
    expect(chunk).toBe(chunks.push(content) - 1);
  });
  expect(chunks).toHaveLength(Math.ceil(count / 65_536));
  const hashes = chunks.map(readKeyHashes);
  const missed = digests.filter((digest, record) => {
    const chunk = hashes[chunkOfHash(hashOfDigest(digest), count)];
    return chunk === undefined || !recordsOfDigest(chunk, digest).includes(record);
  });
  expect(missed).toEqual([]);
  if (hashes[0] !== undefined && count > 2) {
    const shared = hashes[chunkOfHash(hashOfDigest(digests[1] ?? ''), count)] ?? new Float64Array();
    expect(recordsOfDigest(shared, digests[2] ?? '')).toEqual(expect.arrayContaining([1, 2]));
  }
});
