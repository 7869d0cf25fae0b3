// The queries of the adapter. Each names one partition and binds every value.

const IN_PARTITION = 'c.partition = @partition';

export const STATEMENTS = {
  serviceDocuments: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = @kind`,
  releases: `SELECT c.id FROM c WHERE ${IN_PARTITION} AND c.kind = 'release'`,
  unfinished: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'unfinished'`,
  statementLists: `SELECT c.id, c.writtenAt FROM c WHERE ${IN_PARTITION} AND c.kind = 'statements'`,
  /** Neighboring documents of records or lookups. */
  neighbors: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.first >= @from AND c.first < @to`,
  count: `SELECT VALUE COUNT(1) FROM c WHERE ${IN_PARTITION}`,
  documentIds: `SELECT c.id FROM c WHERE ${IN_PARTITION}`,
} as const;

export type Statement = (typeof STATEMENTS)[keyof typeof STATEMENTS];
