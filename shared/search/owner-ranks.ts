// Ranks owners across several releases (D69), because each release numbers its owners separately.

import { giveWayIfSliceOver } from '../store/deadline';
import { compareUtf8 } from '../values/compare-utf8';
import { numberAt } from '../values/number-arrays';
import { loadOwnerIndex } from './index/release-index';
import type { SearchableRelease } from './index/search-caches';
import { getLine, type Lines } from './index/text-lines';

/** Number of owners between two checks of the clock, for steps of less than a millisecond. */
const STEP = 256;

/**
 * Returns, for each release, the rank of each of its owners among the owners of all these releases, by the UTF-8 bytes
 * of the folded owner (D61). Owners with the same folded text have the same rank. The ranks stay in memory.
 */
export async function rankOwners(releases: readonly SearchableRelease[]): Promise<readonly Uint32Array[]> {
  const [first] = releases;
  if (first === undefined) return [];
  const cacheKey = releases.map(({ reader }) => reader.facts.releaseId).join(' ');
  return first.caches.getCache<readonly Uint32Array[]>('ownerRanks').getOrCompute(
    cacheKey,
    async () => mergeRanks(await Promise.all(releases.map(loadOwnerIndex))),
    (ranks) => ranks.reduce((sum, { byteLength }) => sum + byteLength, 0),
  );
}

/** The lines of each release are distinct and ascending. */
async function mergeRanks(owners: readonly Lines[]): Promise<readonly Uint32Array[]> {
  const ranks = owners.map(({ ends }) => new Uint32Array(ends.length));
  const cursors = new Uint32Array(owners.length);
  const getNext = (index: number): string | undefined => {
    const lines = owners[index];
    const line = numberAt(cursors, index);
    return lines === undefined || line >= lines.ends.length ? undefined : getLine(lines, line);
  };
  const next = owners.map((_, index) => getNext(index));
  for (let rank = 0; ; rank++) {
    if (rank % STEP === 0) await giveWayIfSliceOver();
    const lowest = findLowest(next);
    if (lowest === undefined) return ranks;
    for (const [index, releaseRanks] of ranks.entries()) {
      if (next[index] !== lowest) continue;
      const line = numberAt(cursors, index);
      releaseRanks[line] = rank;
      cursors[index] = line + 1;
      next[index] = getNext(index);
    }
  }
}

function findLowest(texts: readonly (string | undefined)[]): string | undefined {
  let lowest: string | undefined;
  for (const text of texts) {
    if (text !== undefined && (lowest === undefined || compareUtf8(text, lowest) < 0)) lowest = text;
  }
  return lowest;
}
