// A boundary resolved against one release (architecture.md, "The way of a request"): boxes settle most chunks of places
// whole, the points of the others are tested, and exact geometries are read for the few places that are left.

import type { Boundary } from '../query/condition';
import { giveWayIfSliceOver } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { BitSet } from '../values/bytes/bit-set';
import { boundingBox, type Box, decodeGeometry } from '../values/geometry';
import { numberAt } from '../values/numbers';
import { BoundaryMatcher } from './index/boundary-matcher';
import { type PlaceChunk, visitRuns } from './index/place-index';
import { toRecordSet, type RecordSet } from './index/record-set';
import { loadPlaceChunks, loadPlaceChunkBoxes } from './index/release-index';
import { getByteLength, type SearchCaches, type SearchableRelease } from './index/search-caches';

/** Chunks read at once, some megabytes: bounds the memory of a boundary that touches most of a large release. */
const CHUNKS_AT_ONCE = 64;

/** Likewise for a boundary that touches many large polygons. */
const GEOMETRIES_AT_ONCE = 256;

/** `place` is an index into the chunk. */
export type VisitPlace = (chunk: PlaceChunk, place: number) => void;

/** A place of a chunk whose geometry has to be read. */
interface Candidate {
  readonly chunk: PlaceChunk;
  readonly place: number;
  readonly geometry: number;
  readonly box: Box;
}

/** The records of the places that the boundary meets. Throws DeadlinePassedError. */
export async function findRecordsInBoundary(boundary: Boundary, searched: SearchableRelease): Promise<RecordSet> {
  const records = new BitSet(searched.reader.facts.records);
  await visitPlacesInBoundary(searched, boundary, (chunk, place) => {
    visitRuns(chunk, place, (first, last) => {
      records.addRange(first, last);
    });
  });
  return toRecordSet(records);
}

/** Calls `visit` for each place that the boundary meets, in any order. Throws DeadlinePassedError. */
export async function visitPlacesInBoundary(
  searched: SearchableRelease,
  boundary: Boundary,
  visit: VisitPlace,
): Promise<void> {
  const matcher = await getMatcher(boundary, searched.caches);
  const search = boundingBox(boundary.geometry);
  const boxes = await loadPlaceChunkBoxes(searched);
  const undecided: Candidate[] = [];
  const touched = await findTouchedChunks(boxes, search, matcher);
  for (let start = 0; start < touched.length; start += CHUNKS_AT_ONCE) {
    const some = touched.slice(start, start + CHUNKS_AT_ONCE);
    const chunks = await loadPlaceChunks(
      searched,
      some.map(({ chunk }) => chunk),
    );
    for (const [index, chunk] of chunks.entries()) {
      await giveWayIfSliceOver();
      if (some[index]?.isInside === true)
        chunk.ranks.forEach((_, place) => {
          visit(chunk, place);
        });
      else visitCertainMatches(chunk, matcher, visit, undecided);
    }
  }
  await visitUndecided(searched.reader, matcher, undecided, visit);
}

/** One matcher serves all releases that a boundary is resolved against, and all pages of a walk. */
function getMatcher({ geometry, digest }: Boundary, caches: SearchCaches): Promise<BoundaryMatcher> {
  const make = (): Promise<BoundaryMatcher> => Promise.resolve(new BoundaryMatcher(geometry));
  return caches.getCache<BoundaryMatcher>('matchers').getOrCompute(digest, make, getByteLength);
}

interface TouchedChunk {
  readonly chunk: number;
  /** Whether all of its places are in the boundary. */
  readonly isInside: boolean;
}

/** The chunks that may have places in the boundary. */
async function findTouchedChunks(
  boxes: Float64Array,
  search: Box,
  matcher: BoundaryMatcher,
): Promise<readonly TouchedChunk[]> {
  const touched: TouchedChunk[] = [];
  for (let chunk = 0; 4 * chunk < boxes.length; chunk++) {
    const box = readBox(boxes, chunk);
    if (!doBoxesMeet(box, search)) continue;
    await giveWayIfSliceOver();
    const boxClass = matcher.classifyBox(box);
    if (boxClass !== 'outside') touched.push({ chunk, isInside: boxClass === 'inside' });
  }
  return touched;
}

/** Visits the places that match by their point or box. */
function visitCertainMatches(
  chunk: PlaceChunk,
  matcher: BoundaryMatcher,
  visit: VisitPlace,
  undecided: Candidate[],
): void {
  const { ranks, boxes, geometries } = chunk;
  const matches = matcher.matchesPoints(decodePoints(chunk));
  for (let place = 0; place < ranks.length; place++) {
    if (matches[place] === 1) visit(chunk, place);
    else if (geometries.length > 0) {
      const box = readBox(boxes, place);
      const boxClass = matcher.classifyBox(box);
      if (boxClass === 'inside') visit(chunk, place);
      else if (boxClass === 'crossed') undecided.push({ chunk, place, geometry: numberAt(geometries, place), box });
    }
  }
}

function decodePoints({ positions, west, south, scale }: PlaceChunk): Float64Array {
  const points = new Float64Array(positions.length);
  for (let at = 0; at < points.length; at += 2) {
    points[at] = (west + numberAt(positions, at)) / scale;
    points[at + 1] = (south + numberAt(positions, at + 1)) / scale;
  }
  return points;
}

async function visitUndecided(
  reader: ReleaseReader,
  matcher: BoundaryMatcher,
  undecided: Candidate[],
  visit: VisitPlace,
): Promise<void> {
  undecided.sort((a, b) => a.geometry - b.geometry);
  for (let start = 0; start < undecided.length; start += GEOMETRIES_AT_ONCE) {
    const batch = undecided.slice(start, start + GEOMETRIES_AT_ONCE);
    const contents = await reader.blobs(
      'geometries',
      Uint32Array.from(batch, ({ geometry }) => geometry),
    );
    for (const [index, { chunk, place, box }] of batch.entries()) {
      await giveWayIfSliceOver();
      const content = contents[index];
      if (content !== undefined && matcher.matchesGeometry(decodeGeometry(content), box)) visit(chunk, place);
    }
  }
}

function readBox(boxes: Float64Array, index: number): Box {
  const at = 4 * index;
  return [numberAt(boxes, at), numberAt(boxes, at + 1), numberAt(boxes, at + 2), numberAt(boxes, at + 3)];
}

function doBoxesMeet(a: Box, b: Box): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}
