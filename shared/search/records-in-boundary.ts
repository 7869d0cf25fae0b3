// A boundary resolved against one release (architecture.md, "The way of a request"): boxes settle most chunks of places
// whole, the points of the others are tested, and exact geometries are read for the few places that are left.

import type { Boundary } from '../query/condition';
import { giveWayInTurn } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { BitSet } from '../values/bytes/bit-set';
import { boundingBox, type Box, decodeGeometry } from '../values/geometry';
import { numberAt } from '../values/numbers';
import { BoundaryMatcher } from './index/boundary-matcher';
import { type PlaceChunk, visitRuns } from './index/place-index';
import { markedRecords, type RecordSet } from './index/record-set';
import { placeChunksOf, placesOf } from './index/release-index';
import { byteLengthOf, type SearchCaches, type Searched } from './index/search-caches';

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
export async function recordsInBoundary(boundary: Boundary, searched: Searched): Promise<RecordSet> {
  const records = new BitSet(searched.reader.facts.records);
  await visitPlacesInBoundary(searched, boundary, (chunk, place) => {
    visitRuns(chunk, place, (first, last) => {
      records.addRange(first, last);
    });
  });
  return markedRecords(records);
}

/** Calls `visit` for each place that the boundary meets, in any order. Throws DeadlinePassedError. */
export async function visitPlacesInBoundary(searched: Searched, boundary: Boundary, visit: VisitPlace): Promise<void> {
  const matcher = await matcherOf(boundary, searched.caches);
  const search = boundingBox(boundary.geometry);
  const boxes = await placesOf(searched);
  const unsure: Candidate[] = [];
  const touched = await chunksTouched(boxes, search, matcher);
  for (let start = 0; start < touched.length; start += CHUNKS_AT_ONCE) {
    const some = touched.slice(start, start + CHUNKS_AT_ONCE);
    const chunks = await placeChunksOf(
      searched,
      some.map(({ chunk }) => chunk),
    );
    for (const [index, chunk] of chunks.entries()) {
      await giveWayInTurn();
      if (some[index]?.isInside === true)
        chunk.ranks.forEach((_, place) => {
          visit(chunk, place);
        });
      else visitMatches(chunk, matcher, visit, unsure);
    }
  }
  await decideUnsure(searched.reader, matcher, unsure, visit);
}

/** One matcher serves all releases that a boundary is resolved against, and all pages of a walk. */
function matcherOf({ geometry, digest }: Boundary, caches: SearchCaches): Promise<BoundaryMatcher> {
  const make = (): Promise<BoundaryMatcher> => Promise.resolve(new BoundaryMatcher(geometry));
  return caches.partOf<BoundaryMatcher>('matchers').remember(digest, make, byteLengthOf);
}

interface TouchedChunk {
  readonly chunk: number;
  /** Whether all of its places are in the boundary. */
  readonly isInside: boolean;
}

/** The chunks that may have places in the boundary. */
async function chunksTouched(
  boxes: Float64Array,
  search: Box,
  matcher: BoundaryMatcher,
): Promise<readonly TouchedChunk[]> {
  const touched: TouchedChunk[] = [];
  for (let chunk = 0; 4 * chunk < boxes.length; chunk++) {
    const box = boxAt(boxes, chunk);
    if (!boxesMeet(box, search)) continue;
    await giveWayInTurn();
    const boxClass = matcher.classifyBox(box);
    if (boxClass !== 'outside') touched.push({ chunk, isInside: boxClass === 'inside' });
  }
  return touched;
}

/** Visits the places that match by their point or box. */
function visitMatches(chunk: PlaceChunk, matcher: BoundaryMatcher, visit: VisitPlace, unsure: Candidate[]): void {
  const { ranks, boxes, geometries } = chunk;
  const matches = matcher.matchesPoints(pointsOf(chunk));
  for (let place = 0; place < ranks.length; place++) {
    if (matches[place] === 1) visit(chunk, place);
    else if (geometries.length > 0) {
      const box = boxAt(boxes, place);
      const boxClass = matcher.classifyBox(box);
      if (boxClass === 'inside') visit(chunk, place);
      else if (boxClass === 'crossed') unsure.push({ chunk, place, geometry: numberAt(geometries, place), box });
    }
  }
}

function pointsOf({ positions, west, south, scale }: PlaceChunk): Float64Array {
  const points = new Float64Array(positions.length);
  for (let at = 0; at < points.length; at += 2) {
    points[at] = (west + numberAt(positions, at)) / scale;
    points[at + 1] = (south + numberAt(positions, at + 1)) / scale;
  }
  return points;
}

async function decideUnsure(
  reader: ReleaseReader,
  matcher: BoundaryMatcher,
  unsure: Candidate[],
  visit: VisitPlace,
): Promise<void> {
  unsure.sort((a, b) => a.geometry - b.geometry);
  for (let start = 0; start < unsure.length; start += GEOMETRIES_AT_ONCE) {
    const batch = unsure.slice(start, start + GEOMETRIES_AT_ONCE);
    const contents = await reader.blobs(
      'geometries',
      Uint32Array.from(batch, ({ geometry }) => geometry),
    );
    for (const [index, { chunk, place, box }] of batch.entries()) {
      await giveWayInTurn();
      const content = contents[index];
      if (content !== undefined && matcher.matchesGeometry(decodeGeometry(content), box)) visit(chunk, place);
    }
  }
}

function boxAt(boxes: Float64Array, index: number): Box {
  const at = 4 * index;
  return [numberAt(boxes, at), numberAt(boxes, at + 1), numberAt(boxes, at + 2), numberAt(boxes, at + 3)];
}

function boxesMeet(a: Box, b: Box): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}
