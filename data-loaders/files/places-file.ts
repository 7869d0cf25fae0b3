// `places.parquet` of a release (D44), made from its own places, a stretch at a time, and what the files of a release
// say of themselves: both follow from the release alone, so that they have the same bytes on every store (D45).

import { geojsonToWkb } from 'hyparquet-writer';
import { parseItems } from '../../shared/render/read-page';
import { columnValue, placeColumns, type ColumnValue } from '../../shared/render/table-columns';
import { placeGeometry } from '../../shared/render/write-geojson';
import { GROUP_ROWS } from '../../shared/files/coded-member';
import { ColumnCodes, EntryLists } from '../../shared/files/column-values';
import type { ParquetColumn } from '../../shared/files/parquet-column';
import { ParquetFile } from '../../shared/files/parquet-file';
import { describedColumns, type FileMetadata } from '../../shared/files/records-files';
import type { FileSink } from '../../shared/files/sink';
import { dataSetLayouts } from '../../shared/records/data-sets';
import type { ReleaseFacts, ReleaseReader } from '../../shared/store/port';
import { boundingBox, type Box } from '../../shared/values/geometry';

/** Places may have polygons of megabytes. */
const PLACES_AT_ONCE = 200;

/** Polygons of megabytes make smaller groups. */
const GROUP_BYTES = 32 * 1024 * 1024;

const SIDES = ['xmin', 'ymin', 'xmax', 'ymax'] as const;

const GEOMETRY_COLUMNS = [
  { name: 'geometry', type: 'bytes', isList: false },
  ...SIDES.map((name) => ({ name, type: 'side', isList: false, within: 'bbox' }) as const),
] as const;

/** `places.parquet`: the sites or reporting units as GeoParquet 1.1. */
export async function writePlaces(reader: ReleaseReader, sink: FileSink): Promise<void> {
  const { facts } = reader;
  const layout = dataSetLayouts[facts.dataSet];
  const shown = placeColumns(layout.placeKind);
  const columns = [{ name: 'OrganizationUUID', type: 'text', isList: false } as const, ...shown, ...GEOMETRY_COLUMNS];
  const file = new ParquetFile(columns, sink.write);
  let group = new PlaceGroup(columns);
  const types = new Set<string>();
  let bounds: Box | undefined;
  for await (const item of placesOf(reader)) {
    const { geometry } = placeGeometry(layout.placeKind, item);
    const box = geometry === null ? undefined : boundingBox(geometry);
    const wkb = geometry === null ? null : geojsonToWkb(geometry);
    const values = shown.map((column) => columnValue(item, column));
    const sides = SIDES.map((_, side) => box?.[side] ?? null);
    group.add([facts.organization.OrganizationUUID, ...values, wkb, ...sides]);
    if (group.isFull) {
      group.addTo(file);
      group = new PlaceGroup(columns);
    }
    if (geometry !== null) types.add(geometry.type);
    bounds = unionOf(bounds, box);
    await sink.drained();
  }
  group.addTo(file);
  const geo = JSON.stringify(geoMetadata(types, bounds));
  file.finish({ ...metadataOf(facts), columns: describedColumns(columns), geo });
  await sink.close();
}

/** A row group: each row is an entry of its own. */
class PlaceGroup {
  private readonly columns: readonly ColumnCodes[];
  private rows = 0;
  private bytes = 0;

  constructor(columns: readonly ParquetColumn[]) {
    this.columns = columns.map(({ isList }) => new ColumnCodes(isList ? new EntryLists() : undefined));
  }

  get isFull(): boolean {
    return this.rows === GROUP_ROWS || this.bytes > GROUP_BYTES;
  }

  add(values: readonly (ColumnValue | Uint8Array)[]): void {
    for (const [index, column] of this.columns.entries()) {
      const value = values[index] ?? null;
      column.add(value);
      if (value instanceof Uint8Array) this.bytes += value.length;
    }
    this.rows++;
  }

  addTo(file: ParquetFile): void {
    const entryOf = Uint32Array.from({ length: this.rows }, (_, row) => row);
    file.addGroup(
      this.rows,
      this.columns.map((values) => ({ values, entryOf })),
    );
  }
}

async function* placesOf(reader: ReleaseReader): AsyncIterable<Readonly<Record<string, unknown>>> {
  const { lookups, dataSet } = reader.facts;
  const at = lookups.findIndex(({ kind }) => kind === dataSetLayouts[dataSet].placeKind);
  const first = lookups.slice(0, at).reduce((sum, { count }) => sum + count, 0);
  const count = lookups[at]?.count ?? 0;
  for (let from = 0; from < count; from += PLACES_AT_ONCE) {
    const length = Math.min(PLACES_AT_ONCE, count - from);
    yield* parseItems(await reader.lookups(Uint32Array.from({ length }, (_, index) => first + from + index)));
  }
}

function unionOf(a: Box | undefined, b: Box | undefined): Box | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** https://geoparquet.org/releases/v1.1.0/ */
function geoMetadata(types: ReadonlySet<string>, bounds: Box | undefined): object {
  const side = (name: string): readonly string[] => ['bbox', name];
  const geometry = {
    encoding: 'WKB',
    geometry_types: [...types].sort(),
    crs: CRS84,
    orientation: 'counterclockwise',
    edges: 'planar',
    ...(bounds === undefined ? {} : { bbox: bounds }),
    covering: { bbox: { xmin: side('xmin'), ymin: side('ymin'), xmax: side('xmax'), ymax: side('ymax') } },
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

/** Nothing of the catalog, which may say other things of the same release elsewhere. What is not stated is left out. */
export function metadataOf(facts: ReleaseFacts): FileMetadata {
  const { releaseId, organization, dataSet, statement, records, firstDay, lastDay } = facts;
  const stated = Object.entries(statement).flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]));
  return {
    title: `${dataSet} of ${organization.OrganizationName}`,
    organization: JSON.stringify(organization),
    ...Object.fromEntries(stated),
    dataSet,
    release: releaseId,
    records: String(records),
    period: `${firstDay ?? '..'}/${lastDay ?? '..'}`,
  };
}
