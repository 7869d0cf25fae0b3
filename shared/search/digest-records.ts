// Which records of a release may have a key, by the digest of the key (D48): one chunk of hashes is read.

import { chunkName } from '../store/artifacts';
import type { ReleaseReader } from '../store/port';
import { chunkOfHash, hashOfDigest, readKeyHashes, recordsOfDigest, type KeyHashes } from './index/key-hashes';
import { cachedArtifact } from './release/release-index';
import type { SearchCaches } from './search-caches';

/** Ascending. The release is one of amounts. */
export async function recordsWithDigest(
  reader: ReleaseReader,
  digest: string,
  caches: SearchCaches,
): Promise<Uint32Array> {
  const { records } = reader.facts;
  if (records === 0) return new Uint32Array();
  const chunk = chunkName('keyHashes', chunkOfHash(hashOfDigest(digest), records));
  const hashes = await cachedArtifact(reader, chunk, caches.partOf<KeyHashes>('keyHashes'), (content) => ({
    value: readKeyHashes(content),
    bytes: content.byteLength,
  }));
  return Uint32Array.from(recordsOfDigest(hashes, digest));
}
