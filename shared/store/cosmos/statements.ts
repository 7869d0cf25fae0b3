// All queries that the adapter asks. Each names one partition and binds every value; nothing on the way of a request to data is
// among them but the look for a former data version. Tests refuse any other on the wire.

const IN_PARTITION = 'c.partition = @partition';

export const STATEMENTS = {
  states: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'state'`,
  statesOfVersion: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'state' AND c.version = @version`,
  statesNaming: `SELECT c.id FROM c WHERE ${IN_PARTITION} AND c.kind = 'state' AND ARRAY_CONTAINS(c.entries, { 'releaseId': @release }, true)`,
  keys: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'key'`,
  usage: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'use'`,
  releases: `SELECT c.id FROM c WHERE ${IN_PARTITION} AND c.kind = 'release'`,
  unfinished: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'unfinished'`,
  documentIds: `SELECT c.id FROM c WHERE ${IN_PARTITION}`,
} as const;

export type Statement = (typeof STATEMENTS)[keyof typeof STATEMENTS];
