// Finds the records and the places of one release in a boundary (docs/architecture.md, "The path of a request"). Boxes
// decide most chunks of places as a whole, the points of the other chunks are tested, and exact geometries are read only
// for the few places that are still undecided.

import type { Boundary } from '../query/condition';
import { giveWayIfSliceOver } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { BitSet } from '../values/bytes/bit-set';
import { decodeGeometry } from '../values/encode-geometry';
import { boundingBox, type Box } from '../values/geometry';
import { numberAt } from '../values/number-arrays';
import { BoundaryMatcher } from './index/boundary-matcher';
import { visitRuns } from './index/number-runs';
import { type PlaceChunk } from './index/place-chunk';
import { type RecordSet, toRecordSet } from './index/record-set';
import { loadPlaceChunkBoxes, loadPlaceChunks } from './index/release-index';
import { getByteLength, type SearchableRelease, type SearchCaches } from './index/search-caches';

/**
 * Number of chunks to read at once (a few megabytes). Limits the memory of a boundary that touches most of a large
 * release.
 */
const CHUNKS_AT_ONCE = 64;

/** Limits the memory of a boundary that touches many large polygons. */
const GEOMETRIES_AT_ONCE = 256;

/** `index` is the position of a place in the chunk. */
export type VisitPlace = (chunk: PlaceChunk, index: number) => void;

/** A place whose geometry has to be read. */
interface UndecidedPlace {
  readonly chunk: PlaceChunk;
  readonly index: number;
  readonly geometry: number;
  readonly box: Box;
}

/** Finds the records of the places that match the boundary (D15). Throws DeadlinePassedError. */
export async function findRecordsInBoundary(boundary: Boundary, release: SearchableRelease): Promise<RecordSet> {
  const records = new BitSet(release.reader.facts.records);
  await visitPlacesInBoundary(release, boundary, (chunk, index) => {
    visitRuns(chunk, index, (first, last) => {
      records.addRange(first, last);
    });
  });
  return toRecordSet(records);
}

/** Calls `visit` for each place that matches the boundary, in any order. Throws DeadlinePassedError. */
export async function visitPlacesInBoundary(
  release: SearchableRelease,
  boundary: Boundary,
  visit: VisitPlace,
): Promise<void> {
  await giveWayIfSliceOver();
  const matcher = await getMatcher(boundary, release.caches);
  await giveWayIfSliceOver();
  const boundaryBox = boundingBox(boundary.geometry);
  const touchedChunks = await findTouchedChunks(await loadPlaceChunkBoxes(release), boundaryBox, matcher);
  const undecided: UndecidedPlace[] = [];
  for (let start = 0; start < touchedChunks.length; start += CHUNKS_AT_ONCE) {
    const batch = touchedChunks.slice(start, start + CHUNKS_AT_ONCE);
    const chunks = await loadPlaceChunks(
      release,
      batch.map(({ number }) => number),
    );
    for (const [batchIndex, chunk] of chunks.entries()) {
      await giveWayIfSliceOver();
      if (batch[batchIndex]?.isInside === true) {
        for (let index = 0; index < chunk.ranks.length; index++) visit(chunk, index);
      } else visitCertainMatches(chunk, matcher, visit, undecided);
    }
  }
  await visitUndecided(release.reader, matcher, undecided, visit);
}

/** One matcher serves all releases and all pages of a query. */
function getMatcher({ geometry, digest }: Boundary, caches: SearchCaches): Promise<BoundaryMatcher> {
  const create = (): Promise<BoundaryMatcher> => Promise.resolve(new BoundaryMatcher(geometry));
  return caches.getCache<BoundaryMatcher>('matchers').getOrCompute(digest, create, getByteLength);
}

interface TouchedChunk {
  readonly number: number;
  /** Whether all of its places match the boundary. */
  readonly isInside: boolean;
}

/** Finds the chunks that may have matching places. */
async function findTouchedChunks(
  chunkBoxes: Float64Array,
  boundaryBox: Box,
  matcher: BoundaryMatcher,
): Promise<readonly TouchedChunk[]> {
  const touchedChunks: TouchedChunk[] = [];
  for (let number = 0; 4 * number < chunkBoxes.length; number++) {
    const box = readBox(chunkBoxes, number);
    if (!doBoxesMeet(box, boundaryBox)) continue;
    await giveWayIfSliceOver();
    const boxClass = matcher.classifyBox(box);
    if (boxClass !== 'outside') touchedChunks.push({ number, isInside: boxClass === 'inside' });
  }
  return touchedChunks;
}

/** Visits the places that match by their point or box, and collects the places whose geometry must be read. */
function visitCertainMatches(
  chunk: PlaceChunk,
  matcher: BoundaryMatcher,
  visit: VisitPlace,
  undecided: UndecidedPlace[],
): void {
  const { ranks, boxes, geometries } = chunk;
  const isMatch = matcher.matchesPoints(decodePoints(chunk));
  for (let index = 0; index < ranks.length; index++) {
    if (isMatch[index] === 1) visit(chunk, index);
    else if (geometries.length > 0) {
      const box = readBox(boxes, index);
      const boxClass = matcher.classifyBox(box);
      if (boxClass === 'inside') visit(chunk, index);
      else if (boxClass === 'crossed') undecided.push({ chunk, index, geometry: numberAt(geometries, index), box });
    }
  }
}

/** Returns degrees: longitude and latitude alternate. */
function decodePoints({ positions, west, south, scale }: PlaceChunk): Float64Array {
  const points = new Float64Array(positions.length);
  for (let index = 0; index < points.length; index += 2) {
    points[index] = (west + numberAt(positions, index)) / scale;
    points[index + 1] = (south + numberAt(positions, index + 1)) / scale;
  }
  return points;
}

/** Reads the geometries of the places, in the order in which they are stored, and visits the matches. */
async function visitUndecided(
  reader: ReleaseReader,
  matcher: BoundaryMatcher,
  undecided: UndecidedPlace[],
  visit: VisitPlace,
): Promise<void> {
  undecided.sort((a, b) => a.geometry - b.geometry);
  for (let start = 0; start < undecided.length; start += GEOMETRIES_AT_ONCE) {
    const batch = undecided.slice(start, start + GEOMETRIES_AT_ONCE);
    const contents = await reader.blobs(
      'geometries',
      Uint32Array.from(batch, ({ geometry }) => geometry),
    );
    for (const [batchIndex, { chunk, index, box }] of batch.entries()) {
      await giveWayIfSliceOver();
      const content = contents[batchIndex];
      if (content !== undefined && matcher.matchesGeometry(decodeGeometry(content), box)) visit(chunk, index);
    }
  }
}

function readBox(boxes: Float64Array, index: number): Box {
  const offset = 4 * index;
  return [
    numberAt(boxes, offset),
    numberAt(boxes, offset + 1),
    numberAt(boxes, offset + 2),
    numberAt(boxes, offset + 3),
  ];
}

function doBoxesMeet(a: Box, b: Box): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}
