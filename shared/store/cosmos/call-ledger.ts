// What the adapter asked of the service, call by call: for an operator who looks into costs, and for a model of them.

import { debuglog } from 'node:util';

export type CosmosOperation = 'read' | 'query' | 'create' | 'upsert' | 'replace' | 'delete';

export interface CallItem {
  readonly operation: CosmosOperation;
  /** What was sent or came back; undefined for a deletion, and for what is not there. `documentBytes` says how large it is. */
  readonly document: unknown;
}

/** One request over the network; one that was tried again counts again. */
export interface CosmosCall {
  /** A request of one document, several documents of one partition by their ids, or a page of a query. */
  readonly request: 'point' | 'batch' | 'query';
  readonly partition: string;
  readonly items: readonly CallItem[];
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Request units as the service counted them; 0 when no answer came. */
  readonly charge: number;
  readonly milliseconds: number;
}

export interface CallLedger {
  record(call: CosmosCall): void;
}

/** Prints each call to standard error when the environment has NODE_DEBUG=cosmos; costs nothing otherwise. */
export function debugLedger(): CallLedger {
  const log = debuglog('cosmos');
  return {
    record: ({ request, partition, items, status, charge, milliseconds }) => {
      if (!log.enabled) return;
      const operations = [...new Set(items.map(({ operation }) => operation))].join('+');
      log('%s %s x%d %s: %d, %s RU, %s ms', request, operations, items.length, partition, status, charge, milliseconds);
    },
  };
}
