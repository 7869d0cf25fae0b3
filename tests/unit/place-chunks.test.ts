// The chunks of places (ADR 0057): every place comes back as it was added, and a boundary reads the chunks it touches.

import fc from 'fast-check';
import { placeChunks, type RunsByPlace } from '../../data-loaders/build/place-index';
import { boundaryOf, type Boundary } from '../../shared/query/condition';
import { BoundaryMatcher } from '../../shared/search/index/boundary-matcher';
import { writePlaceIndex } from '../../shared/search/index/place-index';
import { recordsInBoundary } from '../../shared/search/records-in-boundary';
import { createSearchCaches } from '../../shared/search/index/search-caches';
import type { BlobFamily, ReleaseReader } from '../../shared/store/port';
import { boundingBox, encodeGeometry, type Box, type Geometry } from '../../shared/values/geometry';

interface Place {
  readonly point: { readonly longitude: number; readonly latitude: number } | undefined;
  readonly geometry: Geometry | undefined;
  /** Pairs of first and last record. */
  readonly runs: readonly number[];
}

interface Written {
  readonly chunks: readonly { readonly box: Box; readonly content: Uint8Array }[];
  readonly geometries: readonly Uint8Array[];
}

function write(places: readonly Place[]): Written {
  const points = new Float64Array(2 * places.length);
  const areas = new Map<number, { readonly geometry: number; readonly box: Box }>();
  const geometries: Uint8Array[] = [];
  const ends: number[] = [];
  let end = 0;
  for (const [rank, { point, geometry, runs }] of places.entries()) {
    points.set([point?.longitude ?? NaN, point?.latitude ?? NaN], 2 * rank);
    if (geometry !== undefined) {
      areas.set(rank, { geometry: geometries.push(encodeGeometry(geometry)) - 1, box: boundingBox(geometry) });
    }
    ends.push((end += runs.length / 2));
  }
  const records: RunsByPlace = {
    ends: Uint32Array.from(ends),
    runs: Uint32Array.from(places.flatMap(({ runs }) => runs)),
  };
  return { chunks: [...placeChunks({ points, areas }, records)], geometries };
}

function square(x: number, y: number, reach: number): Geometry {
  const [west, south, east, north] = [x - reach, y - reach, x + reach, y + reach];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

/** Points on a grid of 100 by 100 over ten degrees; every tenth has an area around it too, each has two records. */
const grid = Array.from({ length: 10_000 }, (_, rank): Place => {
  const [longitude, latitude] = [-110 + (rank % 100) / 10, 35 + Math.floor(rank / 100) / 10];
  const geometry = rank % 10 === 0 ? square(longitude, latitude, 0.3) : undefined;
  return { point: { longitude, latitude }, geometry, runs: [rank, rank, 10_000 + rank, 10_000 + rank] };
});

/** A release of places alone. `read` collects the numbers of the chunks that were read. */
function releaseOf({ chunks, geometries }: Written, read: number[]): ReleaseReader {
  const families: Readonly<Record<BlobFamily, readonly Uint8Array[]>> = {
    places: chunks.map(({ content }) => content),
    names: [],
    geometries,
  };
  const reader: Pick<ReleaseReader, 'artifact' | 'blobs'> & { readonly facts: object } = {
    facts: { releaseId: 'release', records: 20_000 },
    artifact: () => Promise.resolve(writePlaceIndex(chunks.map(({ box }) => box))),
    blobs: (family, numbers) => {
      if (family === 'places') read.push(...numbers);
      return Promise.resolve(Array.from(numbers, (number) => families[family][number] ?? Uint8Array.of()));
    },
  };
  return reader as ReleaseReader; // Searches of a boundary ask for these members alone.
}

async function search(reader: ReleaseReader, boundary: Boundary, caches = createSearchCaches(1e7)): Promise<number[]> {
  return [...(await recordsInBoundary(boundary, { reader, caches })).numbers()];
}

test('a boundary finds the places that match one by one, in whatever chunk they are', async () => {
  const reader = releaseOf(write(grid), []);
  const boundary = fc
    .tuple(fc.integer({ min: -1110, max: -990 }), fc.integer({ min: 340, max: 460 }), fc.integer({ min: 1, max: 600 }))
    .map(([x, y, reach]) => boundaryOf(square(x / 10, y / 10, reach / 100)));
  await fc.assert(
    fc.asyncProperty(boundary, async (one) => {
      const matcher = new BoundaryMatcher(one.geometry);
      const matching = grid.flatMap(({ point, geometry }, rank) => {
        const isMatch =
          (point !== undefined && matcher.matchesPoint(point.longitude, point.latitude)) ||
          (geometry !== undefined && matcher.matchesGeometry(geometry, boundingBox(geometry)));
        return isMatch ? [rank] : [];
      });
      expect(await search(reader, one)).toEqual([...matching, ...matching.map((rank) => 10_000 + rank)]);
    }),
    { numRuns: 40 },
  );
});

test('a small boundary reads few chunks, and those that it has read are in memory', async () => {
  const written = write(grid);
  const read: number[] = [];
  const reader = releaseOf(written, read);
  const caches = createSearchCaches(1e7);
  await search(reader, boundaryOf(square(-105, 40, 0.15)), caches);
  expect(written.chunks.length).toBeGreaterThanOrEqual(10);
  expect(read.length).toBeGreaterThan(0);
  expect(read.length).toBeLessThanOrEqual(4);
  const before = read.length;
  await search(reader, boundaryOf(square(-105, 40, 0.14)), caches);
  expect(read.length).toBe(before);
});
