// A boundary resolved against one release (architecture.md, "The way of a request"): the tree gives candidates, a cheap
// test settles most, the exact test the rest; places map to record numbers.

import { decodeGeometry, boundingBox, type Box } from '../values/geometry';
import type { ReleaseReader } from '../store/port';
import type { Boundary } from '../query/criteria';
import { currentDeadline } from '../store/deadline';
import { BitSet } from '../values/bit-set';
import { markedRecords, NO_RECORDS, type RecordSet } from './record-set';
import type { BoundaryMatcher } from './boundary/boundary-matcher';
import { IS_POINT, type PlaceIndex } from './place-index';

/** Geometries fetched at once: bounds the memory of a boundary that touches many large polygons. */
const GEOMETRIES_AT_ONCE = 256;

interface Candidate {
  readonly rank: number;
  readonly geometry: number;
  readonly box: Box;
}

/** The records of the places that the boundary meets; `matcher` is of this boundary. Throws DeadlinePassedError. */
export async function recordsInBoundary(
  reader: ReleaseReader,
  places: PlaceIndex,
  boundary: Boundary,
  matcher: BoundaryMatcher,
): Promise<RecordSet> {
  if (places.tree === undefined) return NO_RECORDS;
  const deadline = currentDeadline();
  const matched = new BitSet(places.runEnds.length);
  const unsure: Candidate[] = [];
  places.tree.search(...boundingBox(boundary.geometry), (item, ...box) => {
    deadline.check();
    const rank = places.ranks[item] ?? 0;
    const geometry = places.geometries[item] ?? IS_POINT;
    if (geometry === IS_POINT) {
      if (matcher.matchesPoint(box[0], box[1])) matched.add(rank);
    } else {
      const boxClass = matcher.classifyBox(box);
      if (boxClass === 'inside') matched.add(rank);
      else if (boxClass === 'crossed') unsure.push({ rank, geometry, box });
    }
    return false; // Everything is decided here; the tree need not collect items.
  });
  await decideUnsure(reader, matcher, unsure, matched);
  return recordsOfPlaces(places, matched.numbers(), reader.facts.records);
}

async function decideUnsure(
  reader: ReleaseReader,
  matcher: BoundaryMatcher,
  unsure: Candidate[],
  matched: BitSet,
): Promise<void> {
  const deadline = currentDeadline();
  unsure.sort((a, b) => a.geometry - b.geometry);
  for (let start = 0; start < unsure.length; start += GEOMETRIES_AT_ONCE) {
    const batch = unsure.slice(start, start + GEOMETRIES_AT_ONCE).filter(({ rank }) => !matched.has(rank));
    const contents = await reader.geometries(Uint32Array.from(batch, ({ geometry }) => geometry));
    batch.forEach(({ rank, box }, index) => {
      deadline.check();
      const content = contents[index];
      if (content !== undefined && matcher.matchesGeometry(decodeGeometry(content), box)) matched.add(rank);
    });
  }
}

function recordsOfPlaces({ runs, runEnds }: PlaceIndex, ranks: Uint32Array, records: number): RecordSet {
  if (ranks.length === 0) return NO_RECORDS;
  const numbers = new BitSet(records);
  for (const rank of ranks) {
    const end = 2 * (runEnds[rank] ?? 0);
    for (let at = rank === 0 ? 0 : 2 * (runEnds[rank - 1] ?? 0); at < end; at += 2) {
      numbers.addRange(runs[at] ?? 0, runs[at + 1] ?? 0);
    }
  }
  return markedRecords(numbers);
}
