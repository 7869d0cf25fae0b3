// Which records of a release are new or different from a former release of the same data set, and which of the former
// one's it lacks (D37), by the fingerprints of both: no record is read.

import { currentDeadline } from '../store/deadline';
import type { ReleaseFacts, ReleaseReader } from '../store/port';
import { BitSet } from '../values/bytes/bit-set';
import { numberAt } from '../values/numbers';
import { KeyTable, readFingerprints, type Fingerprints } from './index/fingerprints';
import { markedRecords, type ReleaseChanges } from './index/record-set';
import type { SearchCaches } from './search-caches';

/** What the comparison reads of a release. */
export interface ComparedRelease extends Pick<ReleaseReader, 'artifact'> {
  readonly facts: Pick<ReleaseFacts, 'releaseId'>;
}

/** So many records take a millisecond or two, after which other requests may come first. */
const STEP = 8_192;

/** Kept for both releases, which never change. Throws ReleaseGoneError and DeadlinePassedError. */
export async function changesSince(
  former: ComparedRelease,
  later: ComparedRelease,
  { changes }: SearchCaches,
): Promise<ReleaseChanges> {
  const key = `${former.facts.releaseId} ${later.facts.releaseId}`;
  const known = changes.get(key);
  if (known !== undefined) return known;
  const found = await compare(await fingerprintsOf(former), await fingerprintsOf(later));
  changes.set(key, found, found.changed.byteLength + found.removed.byteLength);
  return found;
}

async function fingerprintsOf(reader: ComparedRelease): Promise<Fingerprints> {
  const content = await reader.artifact('fingerprints');
  if (content === undefined) throw new Error('a release without fingerprints');
  return readFingerprints(content, 0);
}

async function compare(former: Fingerprints, later: Fingerprints): Promise<ReleaseChanges> {
  const table = new KeyTable(former.keys);
  await inSteps(former.keys.length, (first, end) => {
    table.add(first, end);
  });
  const changed = new BitSet(later.keys.length);
  const removed = new BitSet(former.keys.length);
  if (former.keys.length > 0) removed.addRange(0, former.keys.length - 1);
  await inSteps(later.keys.length, (first, end) => {
    for (let number = first; number < end; number++) {
      const formerNumber = table.indexOf(numberAt(later.keys, number));
      if (formerNumber !== undefined) removed.delete(formerNumber);
      if (formerNumber === undefined || former.contents[formerNumber] !== later.contents[number]) changed.add(number);
    }
  });
  return { changed: markedRecords(changed), removed: markedRecords(removed) };
}

async function inSteps(count: number, take: (first: number, end: number) => void): Promise<void> {
  const deadline = currentDeadline();
  for (let first = 0; first < count; first += STEP) {
    deadline.check();
    take(first, Math.min(count, first + STEP));
    if (deadline.isSliceOver()) await deadline.giveWay();
  }
}
