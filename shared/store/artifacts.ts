// The names of the artifacts of a release, by which they are written and read.

import type { DataSetKind, NumberColumn } from '../records/data-sets';

/** Artifacts that every release has. */
const SINGLE_ARTIFACTS = [
  'periods',
  'publications',
  'places',
  'names',
  'vocabulary',
  'columns',
  'placeColumns',
  'placeNames',
  'placeHashes',
  'placeRecords',
  'fingerprints',
  'totals',
  'positions',
] as const;

/**
 * Artifacts of some kinds of data sets: the owners of rights (D35), the details of sites that rights do not repeat
 * (ADR 0059), and the series of amounts (D42).
 */
const KIND_ARTIFACTS = {
  SiteVariableAmounts: ['placeSeries'],
  AggregatedAmounts: ['placeSeries'],
  WaterAllocations: ['owners', 'siteDetails'],
} as const satisfies Readonly<Record<DataSetKind, readonly string[]>>;

/** Columns of ordinals, which stand for lookups, use sets and texts of the record. */
export type OrdinalColumn = 'variable' | 'method' | 'source' | 'useSet' | 'reportYear' | 'rowTerms';

export type ColumnName = NumberColumn | OrdinalColumn;

/** Number of records in each chunk of a column; the last chunk may have fewer. */
export const CHUNK_RECORDS = 65_536;

const LOOKUP_COLUMNS = ['variable', 'method', 'source', 'useSet'] as const;

/** Columns by record number. `numbers` are in the order of the measures in the loader's definition of the record. */
export const RECORD_COLUMNS: Readonly<
  Record<DataSetKind, { readonly numbers: readonly NumberColumn[]; readonly ordinals: readonly OrdinalColumn[] }>
> = {
  SiteVariableAmounts: { numbers: ['amount'], ordinals: [...LOOKUP_COLUMNS, 'reportYear'] },
  AggregatedAmounts: { numbers: ['amount'], ordinals: [...LOOKUP_COLUMNS, 'reportYear'] },
  WaterAllocations: { numbers: ['flow', 'volume'], ordinals: [...LOOKUP_COLUMNS, 'rowTerms'] },
};

/** Finds amounts by the digests of their keys. Stored in chunks, like columns. */
const KEY_HASHES = 'keyHashes';

type ChunkedName = ColumnName | typeof KEY_HASHES;

type ChunkName = `${ChunkedName}.${number}`;

export type ArtifactName =
  'facts' | (typeof SINGLE_ARTIFACTS)[number] | (typeof KIND_ARTIFACTS)[DataSetKind][number] | ChunkName;

/** The artifacts that callers write. The store itself writes the facts. */
export type WrittenArtifact = Exclude<ArtifactName, 'facts'>;

export function buildChunkName(column: ChunkedName, chunk: number): ChunkName {
  return `${column}.${chunk}`;
}

/** Lists the names of all artifacts of a release, except its facts. */
export function listArtifactNames(dataSet: DataSetKind, records: number): readonly WrittenArtifact[] {
  const { numbers, ordinals } = RECORD_COLUMNS[dataSet];
  const columns = [...numbers, ...ordinals, ...(dataSet === 'WaterAllocations' ? [] : ([KEY_HASHES] as const))];
  const chunks = Array.from({ length: Math.ceil(records / CHUNK_RECORDS) }, (_, chunk) => chunk);
  return [
    ...SINGLE_ARTIFACTS,
    ...KIND_ARTIFACTS[dataSet],
    ...columns.flatMap((column) => chunks.map((chunk) => buildChunkName(column, chunk))),
  ];
}
