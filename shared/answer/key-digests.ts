// Which record of a release has a key, by the digest of the key (D48). Digests are not stored: the first lookup makes
// the beginning of each from the records themselves, in steps between which other requests come first, and what is made
// when its deadline passes is kept for the next one.

import { dataSetLayouts } from '../records/data-sets';
import type { SearchCaches } from '../search/search-caches';
import { currentDeadline } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { parseItems, readSlice } from './page-texts';
import { keyDigest } from './write-features';

/** The first 32 bits of the digests of the keys of records 0 to before `known`. */
interface KeyDigests {
  readonly beginnings: Uint32Array;
  known: number;
}

/** So many records are some megabytes of JSON. */
const STEP = 1_000;

/** The records whose digest may be this one, ascending. */
export async function recordsOfDigest(
  reader: ReleaseReader,
  digest: string,
  caches: SearchCaches,
): Promise<Uint32Array> {
  const { releaseId, records, dataSet, organization } = reader.facts;
  const keyDigests = caches.partOf<KeyDigests>('keyDigests');
  const digests = keyDigests.get(releaseId) ?? { beginnings: new Uint32Array(records), known: 0 };
  keyDigests.set(releaseId, digests, digests.beginnings.byteLength);
  const layout = dataSetLayouts[dataSet];
  const deadline = currentDeadline();
  while (digests.known < records) {
    deadline.check();
    if (deadline.isSliceOver()) await deadline.giveWay();
    const first = digests.known;
    const numbers = Uint32Array.from({ length: Math.min(STEP, records - first) }, (_, index) => first + index);
    const { records: texts } = await readSlice({ reader, numbers }, () => undefined);
    parseItems(texts).forEach((record, index) => {
      digests.beginnings[first + index] = beginningOf(keyDigest(layout, organization.OrganizationUUID, record));
    });
    digests.known = Math.max(digests.known, first + numbers.length);
  }
  const wanted = beginningOf(digest);
  const found: number[] = [];
  digests.beginnings.forEach((beginning, record) => {
    if (beginning === wanted) found.push(record);
  });
  return Uint32Array.from(found);
}

function beginningOf(digest: string): number {
  return Number.parseInt(digest.slice(0, 8), 16);
}
