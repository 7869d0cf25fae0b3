// The columns of a release as searches read them: from the store once, then from memory while there is room.

import type { NumberColumn } from '../../records/data-sets';
import { chunkName, type OrdinalColumn } from '../../store/artifacts';
import type { ReleaseReader } from '../../store/port';
import type { NarrowNumbers } from '../../values/bytes/sections';
import { cachedArtifact, MEMORY_PER_BYTE, placeChunksOf, placesOf } from './release-index';
import type { SearchCaches } from '../search-caches';
import { readNumbers, readOrdinals, readPlaceColumns } from '../columns/column-format';
import type { ColumnDirectory, Ordinals, PlaceColumns } from '../columns/column-format';
import { readPlaceHashes, type PlaceHashes } from '../columns/place-hashes';
import { readPlaceRecords, readPlaceSeries, type PlaceSeries } from '../columns/place-series';
import { placeCodes, type PlaceCodes, type VisitPlaces } from '../columns/place-codes';
import { visitRuns } from '../index/place-index';

export function columnDirectoryOf(reader: ReleaseReader, caches: SearchCaches): Promise<ColumnDirectory> {
  return cachedArtifact(reader, 'columns', caches.directories, (content) => ({
    value: JSON.parse(Buffer.from(content).toString()) as ColumnDirectory, // Written by RecordColumns of the loader.
    bytes: content.byteLength * MEMORY_PER_BYTE,
  }));
}

export function numberChunkOf(
  reader: ReleaseReader,
  column: NumberColumn,
  chunk: number,
  caches: SearchCaches,
): Promise<Float64Array> {
  return cachedArtifact(reader, chunkName(column, chunk), caches.numbers, (content) => ({
    value: readNumbers(content),
    bytes: content.byteLength,
  }));
}

export function ordinalChunkOf(
  reader: ReleaseReader,
  column: OrdinalColumn,
  chunk: number,
  caches: SearchCaches,
): Promise<Ordinals> {
  return cachedArtifact(reader, chunkName(column, chunk), caches.ordinals, (content) => ({
    value: readOrdinals(content),
    bytes: content.byteLength,
  }));
}

export async function placeColumnsOf(reader: ReleaseReader, caches: SearchCaches): Promise<PlaceColumns> {
  const { placeFields } = await columnDirectoryOf(reader, caches);
  return cachedArtifact(reader, 'placeColumns', caches.placeColumns, (content) => {
    const value = readPlaceColumns(content, placeFields);
    return { value, bytes: value.byteLength };
  });
}

/** The identifiers of places, by rank. */
export function placeNamesOf(reader: ReleaseReader, caches: SearchCaches): Promise<readonly string[]> {
  return cachedArtifact(reader, 'placeNames', caches.placeNames, (content) => ({
    value: JSON.parse(Buffer.from(content).toString()) as readonly string[], // Written by PlaceColumnsWriter.
    bytes: content.byteLength * MEMORY_PER_BYTE,
  }));
}

/** How many records refer to each place, by rank. */
export function placeRecordsOf(reader: ReleaseReader, caches: SearchCaches): Promise<NarrowNumbers> {
  return cachedArtifact(reader, 'placeRecords', caches.placeRecords, (content) => ({
    value: readPlaceRecords(content),
    bytes: content.byteLength,
  }));
}

/** Only releases of amounts have series. */
export function placeSeriesOf(reader: ReleaseReader, caches: SearchCaches): Promise<PlaceSeries> {
  return cachedArtifact(reader, 'placeSeries', caches.placeSeries, (content) => {
    const value = readPlaceSeries(content);
    return { value, bytes: value.byteLength };
  });
}

export function placeHashesOf(reader: ReleaseReader, caches: SearchCaches): Promise<PlaceHashes> {
  return cachedArtifact(reader, 'placeHashes', caches.placeHashes, (content) => ({
    value: readPlaceHashes(content),
    bytes: content.byteLength,
  }));
}

export async function placeCodesOf(reader: ReleaseReader, caches: SearchCaches): Promise<PlaceCodes> {
  const key = reader.facts.releaseId;
  const known = caches.placeCodes.get(key);
  if (known !== undefined) return known;
  const numbers = Array.from({ length: (await placesOf(reader, caches)).length / 4 }, (_, number) => number);
  const chunks = await placeChunksOf(reader, numbers, caches);
  const visitPlaces: VisitPlaces = (visit) => {
    for (const chunk of chunks) {
      chunk.ranks.forEach((rank, place) => {
        visitRuns(chunk, place, (first, last) => {
          visit(rank, first, last);
        });
      });
    }
  };
  const places = chunks.reduce((sum, { ranks }) => sum + ranks.length, 0);
  const codes = placeCodes(visitPlaces, places, reader.facts.records);
  caches.placeCodes.set(key, codes, codes.byteLength);
  return codes;
}
