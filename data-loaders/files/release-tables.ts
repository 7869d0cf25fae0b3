// The files of a release (D44), made from its own records and places, a stretch at a time: what they hold follows from
// the release alone, so that they have the same bytes on every store (D45).

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createGzip, type Gzip } from 'node:zlib';
import { geojsonToWkb } from 'hyparquet-writer';
import { itemsOf, parseItems, readSlice, type SliceItems } from '../../shared/answer/page-texts';
import { ParquetFile, type ParquetColumn, type ParquetValue } from '../../shared/answer/parquet-file';
import {
  columnValue,
  joinedValues,
  ORGANIZATION_COLUMNS,
  placeColumns,
  tableColumns,
} from '../../shared/answer/table-columns';
import { csvHeader, csvRows } from '../../shared/answer/write-csv';
import { placeGeometry, recordKey } from '../../shared/answer/write-geojson';
import { dataSetLayouts } from '../../shared/records/data-sets';
import type { ReleaseFacts, ReleaseReader } from '../../shared/store/port';
import { digestNameOf } from '../../shared/values/digest';
import { boundingBox, type Box } from '../../shared/values/geometry';

/** So many records are parsed at once: some 5 MB of JSON. */
const RECORDS_AT_ONCE = 5000;

/** Places may have polygons of megabytes. */
const PLACES_AT_ONCE = 200;

/** Where the operating system stands in the header of gzip, and the value for an unknown one (RFC 1952). */
const GZIP_SYSTEM = 9;
const UNKNOWN_SYSTEM = 255;

/** A file that is written in order, and whose writer waits while the disk is slower. */
export class FileSink {
  private readonly stream: WriteStream;

  constructor(path: string) {
    this.stream = createWriteStream(path, { flags: 'wx' });
    // `drained` and `close` tell of it.
    this.stream.on('error', () => undefined);
  }

  readonly write = (bytes: Uint8Array): void => {
    this.stream.write(bytes);
  };

  async drained(): Promise<void> {
    if (this.stream.writableNeedDrain) await once(this.stream, 'drain');
  }

  async close(): Promise<void> {
    if (this.stream.errored !== null) throw this.stream.errored;
    this.stream.end();
    await once(this.stream, 'close');
  }
}

/** Calls `visit` for the records of a release, in order, a stretch at a time, with the lookups that they refer to. */
export async function eachRecords(reader: ReleaseReader, visit: (records: SliceItems) => Promise<void>): Promise<void> {
  const { records: count } = reader.facts;
  for (let from = 0; from < count; from += RECORDS_AT_ONCE) {
    const length = Math.min(RECORDS_AT_ONCE, count - from);
    const numbers = Uint32Array.from({ length }, (_, index) => from + index);
    await visit(itemsOf(await readSlice({ reader, numbers }, () => undefined)));
  }
}

/** `records.csv.gz`: one gzip member, without the time and the system that made it (D53). */
export class CsvTable {
  private readonly gzip: Gzip = createGzip();
  private readonly written: Promise<void>;
  private isBegun = false;

  constructor(
    private readonly facts: ReleaseFacts,
    private readonly sink: FileSink,
  ) {
    this.written = this.passOn();
    // `add` and `finish` tell of it.
    this.written.catch(() => undefined);
    this.gzip.write(csvHeader(facts.dataSet));
  }

  async add(records: SliceItems): Promise<void> {
    if (!this.gzip.write([...csvRows(this.facts.dataSet, records)].join('')))
      await Promise.race([once(this.gzip, 'drain'), this.written]);
  }

  async finish(): Promise<void> {
    this.gzip.end();
    await this.written;
    await this.sink.close();
  }

  private async passOn(): Promise<void> {
    for await (const bytes of this.gzip as AsyncIterable<Buffer>) {
      if (!this.isBegun) bytes[GZIP_SYSTEM] = UNKNOWN_SYSTEM;
      this.isBegun = true;
      this.sink.write(bytes);
      await this.sink.drained();
    }
  }
}

/** `records.parquet`: the columns of the CSV form, with types, and the digest of each record's key. */
export class RecordsTable {
  private readonly file: ParquetFile;
  private readonly columns: readonly (ParquetColumn & { readonly description?: string | undefined })[];

  constructor(
    private readonly facts: ReleaseFacts,
    private readonly sink: FileSink,
  ) {
    const { record, joined } = tableColumns[facts.dataSet];
    this.columns = [
      ...ORGANIZATION_COLUMNS.map((name) => ({ name, type: 'text', isList: false }) as const),
      ...record,
      ...joined.flatMap(({ columns }) => columns),
      { name: 'Key', type: 'text', isList: false, description: 'Digest of the key of the record.' },
    ];
    this.file = new ParquetFile(this.columns, sink.write);
  }

  async add({ organization, records, lookups }: SliceItems): Promise<void> {
    const layout = dataSetLayouts[this.facts.dataSet];
    const { record: columns, joined } = tableColumns[layout.kind];
    const start = ORGANIZATION_COLUMNS.map((name) => organization[name]);
    const joins = joined.map((join) => joinedValues(join, lookups, (values) => values));
    for (const record of records) {
      const row: ParquetValue[] = [...start];
      for (const column of columns) row.push(columnValue(record, column));
      for (const join of joins) for (const value of join(record)) row.push(value);
      row.push(digestNameOf(recordKey(layout, organization.OrganizationUUID, record)));
      this.file.addRow(row);
    }
    await this.sink.drained();
  }

  async finish(): Promise<void> {
    this.file.finish(metadataOf(this.facts, this.columns));
    await this.sink.close();
  }
}

const GEOMETRY_COLUMNS = [
  { name: 'geometry', type: 'bytes', isList: false },
  { name: 'bbox', type: 'box', isList: false },
] as const;

/** `places.parquet`: the sites or reporting units as GeoParquet 1.1. */
export async function writePlaces(reader: ReleaseReader, sink: FileSink): Promise<void> {
  const { facts } = reader;
  const layout = dataSetLayouts[facts.dataSet];
  const shown = placeColumns(layout);
  const columns = [{ name: 'OrganizationUUID', type: 'text', isList: false } as const, ...shown, ...GEOMETRY_COLUMNS];
  const file = new ParquetFile(columns, sink.write);
  const types = new Set<string>();
  let bounds: Box | undefined;
  for await (const item of placesOf(reader)) {
    const { geometry } = placeGeometry(layout.placeKind, item);
    const box = geometry === null ? undefined : boundingBox(geometry);
    const wkb = geometry === null ? null : geojsonToWkb(geometry);
    const [xmin, ymin, xmax, ymax] = box ?? [0, 0, 0, 0];
    const values = shown.map((column) => columnValue(item, column));
    const bbox = box === undefined ? null : { xmin, ymin, xmax, ymax };
    file.addRow([facts.organization.OrganizationUUID, ...values, wkb, bbox], wkb?.length);
    if (geometry !== null) types.add(geometry.type);
    bounds = unionOf(bounds, box);
    await sink.drained();
  }
  file.finish({ ...metadataOf(facts, columns), geo: JSON.stringify(geoMetadata(types, bounds)) });
  await sink.close();
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

/** Nothing of the catalog, which may say other things of the same release elsewhere: terms stand in the inventory. */
function metadataOf(
  { releaseId, organization, dataSet, records, firstDay, lastDay }: ReleaseFacts,
  columns: readonly { readonly name: string; readonly description?: string | undefined }[],
): Readonly<Record<string, string>> {
  const described = columns.filter(({ description }) => description !== undefined);
  return {
    title: `${dataSet} of ${organization.OrganizationName}`,
    organization: JSON.stringify(organization),
    dataSet,
    release: releaseId,
    records: String(records),
    period: `${firstDay ?? '..'}/${lastDay ?? '..'}`,
    columns: JSON.stringify(Object.fromEntries(described.map(({ name, description }) => [name, description]))),
  };
}
