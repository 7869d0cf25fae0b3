// The names of the artifacts of a release: pieces that are written and read by name.

import type { DataSetKind, NumberColumn } from '../records/data-sets';

/** Those that every release has once. */
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
 * Those that only some kinds of data set have: who owns which right (D35), which sites have what rights do not repeat
 * (ADR 0059), and the series of amounts (D42).
 */
const KIND_ARTIFACTS = {
  SiteVariableAmounts: ['placeSeries'],
  AggregatedAmounts: ['placeSeries'],
  WaterAllocations: ['owners', 'siteDetails'],
} as const satisfies Readonly<Record<DataSetKind, readonly string[]>>;

/** Columns of ordinals, which stand for lookups, sets of uses and texts of the record itself. */
export type OrdinalColumn = 'variable' | 'method' | 'source' | 'useSet' | 'reportYear' | 'rowTerms';

export type ColumnName = NumberColumn | OrdinalColumn;

/** How many records a chunk of a column covers; the last chunk of a release covers what is left. */
export const CHUNK_RECORDS = 65_536;

const LOOKUP_COLUMNS = ['variable', 'method', 'source', 'useSet'] as const;

/** By record number. `numbers` are the measures of a record in the order of its definition in the loader. */
export const RECORD_COLUMNS: Readonly<
  Record<DataSetKind, { readonly numbers: readonly NumberColumn[]; readonly ordinals: readonly OrdinalColumn[] }>
> = {
  SiteVariableAmounts: { numbers: ['amount'], ordinals: [...LOOKUP_COLUMNS, 'reportYear'] },
  AggregatedAmounts: { numbers: ['amount'], ordinals: [...LOOKUP_COLUMNS, 'reportYear'] },
  WaterAllocations: { numbers: ['flow', 'volume'], ordinals: [...LOOKUP_COLUMNS, 'rowTerms'] },
};

/** Finds the records of amounts by the digests of their keys; in chunks as columns are. */
const KEY_HASHES = 'keyHashes';

type ChunkedName = ColumnName | typeof KEY_HASHES;

type ChunkName = `${ChunkedName}.${number}`;

export type ArtifactName =
  'facts' | (typeof SINGLE_ARTIFACTS)[number] | (typeof KIND_ARTIFACTS)[DataSetKind][number] | ChunkName;

/** The artifacts that writers are given; a store adds the facts itself. */
export type WrittenArtifact = Exclude<ArtifactName, 'facts'>;

export function buildChunkName(column: ChunkedName, chunk: number): ChunkName {
  return `${column}.${chunk}`;
}

/** The names of all artifacts of a release but its facts. */
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
