// Hashes of record keys find their records.

import { readNumbers } from '../../shared/search/index/column-format';
import { findNumbersWithHash } from '../../shared/search/index/hash-entries';
import { findHashChunk, hashDigest, writeKeyHashes } from '../../shared/search/index/key-hashes';
import { digestContent } from '../../shared/values/digest';

test.each([0, 1, 3, 65_536, 65_537, 150_000])('finds each of %d records in the chunk of its hash', (count) => {
  const digests = Array.from({ length: count }, (_, record) => digestContent(String(record)));
  // Two records have the same hash.
  if (count > 2) digests[2] = `${(digests[1] ?? '').slice(0, 8)}ffffffffffffffffffffffff`;
  const chunks: Uint8Array[] = [];
  const hashes = digests.map(hashDigest);
  writeKeyHashes({ length: count, batches: () => [hashes.slice(0, 100), hashes.slice(100)] }, (chunk, content) => {
    expect(chunk).toBe(chunks.push(content) - 1);
  });
  expect(chunks).toHaveLength(Math.ceil(count / 65_536));
  const chunkNumbers = chunks.map(readNumbers);
  const missed = digests.filter((digest, record) => {
    const chunk = chunkNumbers[findHashChunk(hashDigest(digest), count)];
    return chunk === undefined || !findNumbersWithHash(chunk, hashDigest(digest)).includes(record);
  });
  expect(missed).toEqual([]);
  if (chunkNumbers[0] !== undefined && count > 2) {
    const chunkOfBoth = chunkNumbers[findHashChunk(hashDigest(digests[1] ?? ''), count)] ?? new Float64Array();
    expect(findNumbersWithHash(chunkOfBoth, hashDigest(digests[2] ?? ''))).toEqual(expect.arrayContaining([1, 2]));
  }
});
