// The queries of the adapter. Each query is limited to one partition and binds every value.

const IN_PARTITION = 'c.partition = @partition';

/** The number of documents that one query reads by their ids: 1.6 MB of records; an answer has at most 4 MB. */
export const LISTED_IDS = 100;

const LISTED_NAMES = Array.from({ length: LISTED_IDS }, (_, index) => `@id${index}`);

/** Parameters for the query `listed`. */
export function listIds(ids: readonly string[]): Readonly<Record<string, string>> {
  const last = ids.at(-1) ?? '';
  return Object.fromEntries(LISTED_NAMES.map((name, index) => [name.slice(1), ids[index] ?? last]));
}

export const QUERIES = {
  serviceDocuments: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = @kind`,
  releases: `SELECT c.id FROM c WHERE ${IN_PARTITION} AND c.kind = 'release'`,
  unfinished: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'unfinished'`,
  statementLists: `SELECT c.id, c.writtenAt FROM c WHERE ${IN_PARTITION} AND c.kind = 'statements'`,
  /** Neighboring documents of records or lookups. */
  neighbors: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.first >= @from AND c.first < @to`,
  /** Documents of records or lookups by their ids. If there are fewer than LISTED_IDS, the last id is repeated. */
  listed: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.id IN (${LISTED_NAMES.join(', ')})`,
  count: `SELECT VALUE COUNT(1) FROM c WHERE ${IN_PARTITION}`,
  documentIds: `SELECT c.id FROM c WHERE ${IN_PARTITION}`,
} as const;

export type QueryText = (typeof QUERIES)[keyof typeof QUERIES];
