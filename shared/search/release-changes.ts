// Which records of a release are new or different compared with an earlier release of the same data set, and which
// records of the earlier release it lacks (D37). Both are compared by fingerprints: no record is read.

import { runInSteps } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { BitSet } from '../values/bytes/bit-set';
import { numberAt } from '../values/number-arrays';
import { type Fingerprints, KeyTable, readFingerprints } from './fingerprints';
import { type RecordSet, toRecordSet } from './index/record-set';
import type { SearchCaches } from './index/search-caches';

/** Records between two checks of the clock: a millisecond or two. */
const STEP = 8_192;

export interface ReleaseChanges {
  /** Records of the later release that the earlier one lacks or has with other contents. */
  readonly changed: RecordSet;
  /** Records of the earlier release that the later one lacks. */
  readonly removed: RecordSet;
}

/** Stays in the cache: releases never change. Throws ReleaseGoneError and DeadlinePassedError. */
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
  if (content === undefined) throw new Error('a release without fingerprints');
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
