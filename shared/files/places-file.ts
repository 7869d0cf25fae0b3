// `places.parquet` of a release (D44): its sites or reporting units, read in batches.

import { geojsonToWkb } from 'hyparquet-writer';
import { dataSetLayouts } from '../records/data-sets';
import { readPlaceGeometry } from '../render/place-geometry';
import { listPlaceColumns, readColumnValue } from '../render/table-columns';
import { getLookupRange } from '../search/index/release-lookups';
import { parseItems } from '../store/joined-fragments';
import type { ReleaseReader } from '../store/port';
import { boundingBox, type Box, uniteBoxes } from '../values/geometry';
import { buildFileMetadata } from './file-metadata';
import { BOX_MEMBERS, GROUP_ROWS, ParquetFile, toBoxValue, toParquetValue } from './parquet-file';
import type { FileSink } from './sinks';

/** Small, because a place can have a polygon of several megabytes. */
const PLACES_PER_READ = 200;

/** Row groups end earlier when their geometries are large. */
const GROUP_BYTES = 32 * 1024 * 1024;

const GEOMETRY_COLUMNS = [
  { name: 'geometry', type: 'bytes', isList: false, hasBounds: false },
  { name: 'bbox', type: 'box', isList: false },
] as const;

/** Writes the sites or reporting units as GeoParquet 1.1. */
export async function writePlaces(reader: ReleaseReader, sink: FileSink): Promise<void> {
  const { facts } = reader;
  const layout = dataSetLayouts[facts.dataSet];
  const placeColumns = listPlaceColumns(layout.placeKind);
  const columns = [
    { name: 'OrganizationUUID', type: 'text', isList: false } as const,
    ...placeColumns,
    ...GEOMETRY_COLUMNS,
  ];
  const file = new ParquetFile(columns, sink.write);
  /** The bytes of the geometries in the current row group. */
  let bytes = 0;
  const types = new Set<string>();
  let bounds: Box | undefined;
  for await (const item of readPlaces(reader)) {
    const { geometry } = readPlaceGeometry(layout.placeKind, item);
    const box = geometry === null ? undefined : boundingBox(geometry);
    const wkb = geometry === null ? null : geojsonToWkb(geometry);
    const values = placeColumns.map((column) => toParquetValue(column, readColumnValue(item, column)));
    file.addRow([facts.organization.OrganizationUUID, ...values, wkb, box === undefined ? null : toBoxValue(box)]);
    bytes += wkb?.length ?? 0;
    if (file.rows === GROUP_ROWS || bytes > GROUP_BYTES) {
      file.endGroup();
      bytes = 0;
    }
    if (geometry !== null) types.add(geometry.type);
    bounds = uniteBoxes(bounds, box);
    await sink.drained();
  }
  const geo = JSON.stringify(buildGeoMetadata(types, bounds));
  file.finish({ ...buildFileMetadata(facts), geo });
  await sink.close();
}

async function* readPlaces(reader: ReleaseReader): AsyncIterable<Readonly<Record<string, unknown>>> {
  const [first, end] = getLookupRange(reader, dataSetLayouts[reader.facts.dataSet].placeKind);
  for (let from = first; from < end; from += PLACES_PER_READ) {
    const length = Math.min(PLACES_PER_READ, end - from);
    yield* parseItems(
      await reader.texts(
        'lookups',
        Uint32Array.from({ length }, (_, index) => from + index),
      ),
    );
  }
}

/** https://geoparquet.org/releases/v1.1.0/ */
function buildGeoMetadata(types: ReadonlySet<string>, bounds: Box | undefined): object {
  const geometry = {
    encoding: 'WKB',
    geometry_types: [...types].sort(),
    crs: CRS84,
    orientation: 'counterclockwise',
    edges: 'planar',
    ...(bounds === undefined ? {} : { bbox: bounds }),
    covering: { bbox: Object.fromEntries(BOX_MEMBERS.map((side) => [side, ['bbox', side]])) },
  };
  return { version: '1.1.0', primary_column: 'geometry', columns: { geometry } };
}

/** Longitude, then latitude, in degrees on WGS 84, as PROJJSON. */
const CRS84 = {
  $schema: 'https://proj.org/schemas/v0.5/projjson.schema.json',
  type: 'GeographicCRS',
  name: 'WGS 84 longitude-latitude',
  datum: {
    type: 'GeodeticReferenceFrame',
    name: 'World Geodetic System 1984',
    ellipsoid: { name: 'WGS 84', semi_major_axis: 6378137, inverse_flattening: 298.257223563 },
  },
  coordinate_system: {
    subtype: 'ellipsoidal',
    axis: [
      { name: 'Geodetic longitude', abbreviation: 'Lon', direction: 'east', unit: 'degree' },
      { name: 'Geodetic latitude', abbreviation: 'Lat', direction: 'north', unit: 'degree' },
    ],
  },
  id: { authority: 'OGC', code: 'CRS84' },
};
