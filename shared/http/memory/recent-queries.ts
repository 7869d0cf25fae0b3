// Queries that were asked a moment ago, by their text (ADR 0047): a query reads the same each time, and asks for the
// same as long as its catalog state is current. A small request costs little else.

import { KEY_PREFIX } from '../../access/access-keys';
import type { Operation } from '../../query/operations';
import type { AnswerFormat } from '../../query/paging-and-format';
import type { OperationRequest } from '../../query/read-request';
import type { CatalogState } from '../../store/catalog-types';
import type { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import type { ContentCoding } from '../outcome/negotiation';
import type { HeaderFields } from '../outcome/outcome';

/** A query as it was read and negotiated, before any data are looked at. */
export interface ReadQuery {
  readonly kind: 'read';
  readonly operation: Operation;
  readonly request: OperationRequest;
  readonly format: AnswerFormat;
  readonly coding: ContentCoding | undefined;
}

/** A query over one catalog state. It holds no reader of a release, which may be closed meanwhile. */
export interface QueryInState extends Omit<ReadQuery, 'kind'> {
  readonly state: CatalogState;
  /** A boundary was named whose place is not in the data, so nothing matches. */
  readonly isNowhere: boolean;
  /** Stands for the answer's bytes. */
  readonly digest: string;
  /** Links to licences and terms of use. */
  readonly terms: readonly string[];
}

interface AnsweredQuery {
  readonly state: CatalogState;
  readonly total: number;
  readonly modified: string | undefined;
  readonly headers: HeaderFields;
}

/** A query, and what it led to when it was asked last. */
export class RecentQuery {
  inState: QueryInState | undefined;
  answered: AnsweredQuery | undefined;

  constructor(readonly read: ReadQuery) {}
}

export type RecentQueries = LeastRecentlyUsedCache<RecentQuery>;

/** About what a query with its headers takes in memory. */
export const QUERY_BYTES = 3000;

/** Some 1,300 queries. */
export const RECENT_QUERIES_BYTES = 4 * 1024 * 1024;

/** Longer queries have drawn boundaries, whose cost is not in their reading. */
const MAX_LENGTH = 1000;

/** What stands for a query: all that its reading depends on. Undefined for one that is not to be remembered. */
export function recentQueryKey({ name }: Operation, text: string, headers: Pick<Headers, 'get'>): string | undefined {
  const key = `${name}\n${headers.get('accept') ?? ''}\n${headers.get('accept-encoding') ?? ''}\n${text}`;
  // No memory keeps an access key.
  return key.length > MAX_LENGTH || key.includes(KEY_PREFIX) ? undefined : key;
}
