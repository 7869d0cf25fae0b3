// Finds the records of a release that are new or changed compared with an earlier release of the same data set, and the
// records that were removed since (D37). Both releases are compared by fingerprints, without reading records.

import { runInSteps } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { BitSet } from '../values/bytes/bit-set';
import { numberAt } from '../values/number-arrays';
import { type Fingerprints, KeyTable, readFingerprints } from './fingerprints';
import { type RecordSet, toRecordSet } from './index/record-set';
import type { SearchCaches } from './index/search-caches';

/** Number of records between two checks of the clock, for steps of a millisecond or two. */
const STEP = 8_192;

export interface ReleaseChanges {
  /** Records of the later release that are missing in the earlier release or have other contents there. */
  readonly changed: RecordSet;
  /** Records of the earlier release that are missing in the later release. */
  readonly removed: RecordSet;
}

/** The result stays in the cache, because releases never change. Throws ReleaseGoneError and DeadlinePassedError. */
export async function findChanges(
  earlier: ReleaseReader,
  later: ReleaseReader,
  caches: SearchCaches,
): Promise<ReleaseChanges> {
  return caches.getCache<ReleaseChanges>('changes').getOrCompute(
    `${earlier.facts.releaseId} ${later.facts.releaseId}`,
    async () => compareFingerprints(await loadFingerprints(earlier), await loadFingerprints(later)),
    ({ changed, removed }) => changed.byteLength + removed.byteLength,
  );
}

async function loadFingerprints(reader: ReleaseReader): Promise<Fingerprints> {
  const content = await reader.artifact('fingerprints');
  if (content === undefined) throw new Error('the release has no fingerprints');
  return readFingerprints(content, 0);
}

async function compareFingerprints(earlier: Fingerprints, later: Fingerprints): Promise<ReleaseChanges> {
  const table = new KeyTable(earlier.keys);
  await runInSteps(earlier.keys.length, STEP, (from, to) => {
    table.add(from, to);
  });
  const changed = new BitSet(later.keys.length);
  const removed = new BitSet(earlier.keys.length);
  if (earlier.keys.length > 0) removed.addRange(0, earlier.keys.length - 1);
  await runInSteps(later.keys.length, STEP, (from, to) => {
    for (let number = from; number < to; number++) {
      const earlierNumber = table.indexOf(numberAt(later.keys, number));
      if (earlierNumber !== undefined) removed.delete(earlierNumber);
      const isSame = earlierNumber !== undefined && earlier.contents[earlierNumber] === later.contents[number];
      if (!isSame) changed.add(number);
    }
  });
  return { changed: toRecordSet(changed), removed: toRecordSet(removed) };
}
