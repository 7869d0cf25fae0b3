// The contents of the catalog: which release of each data set is current, and which keys may ask.

import type { DataSetKind } from '../records/data-sets';
import { compareUtf8 } from '../values/compare-utf8';
import { digestContent } from '../values/digest';

/** What submission.json says of the data to whoever reads them: a part of their release (ADR 0105). */
export interface DataStatement {
  readonly contact: string | null;
  /** Text or a web address. */
  readonly termsOfUse: string | null;
  /** A web address. */
  readonly license: string | null;
  readonly citation: string | null;
}

/** With what it says of the submission itself, which is no part of the data version (ADR 0105). */
export interface SubmissionStatement extends DataStatement {
  /** The name of its folder. */
  readonly name: string;
  readonly note: string | null;
}

export interface CatalogEntry {
  readonly organizationUuid: string;
  readonly dataSet: DataSetKind;
  readonly releaseId: string;
  readonly records: number;
  /** Samples are dropped by the first real publish (architecture.md, "The way of a submission"). */
  readonly isSample: boolean;
  /** ISO 8601, UTC. */
  readonly publishedAt: string;
  /** Entries of older programs lack it. */
  readonly submission?: SubmissionStatement;
  /**
   * The format that a rebuild could not give the release, because no row of it is accepted or can be read any more. The
   * service of that format starts without the data set (ADR 0050).
   */
  readonly notRebuiltTo?: number;
}

/** Immutable. */
export interface CatalogState {
  /** The data version (D33): a digest of which release of each data set is current. */
  readonly version: string;
  /** Ordered by organization, then data set (D17). */
  readonly entries: readonly CatalogEntry[];
  /** When this state became current, ISO 8601, UTC; null for the empty state of a new store. */
  readonly since: string | null;
  /** The command that made it, for an operator's list: "load", "rollback" and so on. */
  readonly cause: string;
}

/** The cause of a state that a load of samples published. */
export const SAMPLES_CAUSE = 'samples';

/** A limit is null where the service's own limit applies, which is a setting. */
export interface KeyLimits {
  readonly requestsPerMinute: number | null;
  readonly recordsPerMinute: number | null;
}

export interface KeyRecord extends KeyLimits {
  /** Names the key in lists and logs; it is no secret. */
  readonly id: string;
  /** SHA-256 of the whole key, hexadecimal. */
  readonly hash: string;
  readonly owner: string;
  readonly issuedAt: string;
  /** The first moment at which the key is no longer accepted; null for never. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** The id of the key that this one replaces. */
  readonly replaces: string | null;
  /** The id of the key that replaces this one, so that it can be rotated only once. */
  readonly replacedBy: string | null;
  readonly mayReadMetrics: boolean;
  /**
   * Where the key was mailed to, for one that somebody made by oneself (D56); empty when that is forgotten, with its
   * owner. Null for a key that the operator issued.
   */
  readonly email: string | null;
}

/** What keys by oneself need remembered (D56), by its kind; addresses, mailboxes and tokens are there as digests. */
export interface SelfServiceContents {
  /** Signs challenges and makes digests: made by the first process that needs it. */
  readonly secret: { readonly secret: string };
  /** A challenge whose answer was used. */
  readonly proof: object;
  /** When somebody asked, or was mailed to, in milliseconds. */
  readonly recent: { readonly times: readonly number[] };
  /** How many asked on a day. */
  readonly day: { readonly requests: number };
  /** A request that waits for its mail, or for the token of that. */
  readonly request: KeyRequest;
  /** A domain that gets no mail. */
  readonly blocked: object;
}

export type SelfServiceKind = keyof SelfServiceContents;

export const SELF_SERVICE_KINDS: readonly SelfServiceKind[] = [
  'secret',
  'proof',
  'recent',
  'day',
  'request',
  'blocked',
];

export interface SelfServiceRecord<Kind extends SelfServiceKind> {
  readonly id: string;
  /** ISO 8601, UTC. From then on it counts for nothing, and is deleted. */
  readonly expiresAt: string;
  readonly content: SelfServiceContents[Kind];
}

/** Times are in milliseconds. */
export interface KeyRequest {
  readonly name: string;
  readonly email: string;
  readonly askedAt: number;
  /** When the mail is due; null once it was sent. */
  readonly tryAt: number | null;
  readonly tries: number;
  /** SHA-256 of the token in the mail that was sent last; null before. */
  readonly tokenHash: string | null;
}

/** What a key was used for on one day (ADR 0043). */
export interface KeyUse {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly keyId: string;
  readonly requests: number;
  /** How many records were sent. */
  readonly records: number;
  /** Requests beyond the key's limits, which were not answered. */
  readonly refused: number;
  /** ISO 8601, UTC. */
  readonly lastUsedAt: string;
}

/** Adds two counts of one key on one day. */
export function addUse(sum: KeyUse | undefined, use: KeyUse): KeyUse {
  if (sum === undefined) return use;
  return {
    ...use,
    requests: sum.requests + use.requests,
    records: sum.records + use.records,
    refused: sum.refused + use.refused,
    lastUsedAt: sum.lastUsedAt > use.lastUsedAt ? sum.lastUsedAt : use.lastUsedAt,
  };
}

export function buildCatalogState(entries: readonly CatalogEntry[], since: string | null, cause: string): CatalogState {
  const sorted = [...entries].sort(
    (a, b) => compareUtf8(a.organizationUuid, b.organizationUuid) || compareUtf8(a.dataSet, b.dataSet),
  );
  const identities = sorted.map((entry) => [entry.organizationUuid, entry.dataSet, entry.releaseId]);
  return { version: digestContent(JSON.stringify(identities)), entries: sorted, since, cause };
}

export const EMPTY_STATE: CatalogState = buildCatalogState([], null, 'new store');

/** Names a data set, whichever release of it is meant. */
export type DataSetName = Pick<CatalogEntry, 'organizationUuid' | 'dataSet'>;

/** A data set of which a submission is held until somebody confirms it (D64). */
export interface HeldDataSet extends DataSetName {
  /** The name of the submission's folder. */
  readonly submission: string;
  /** ISO 8601, UTC. */
  readonly heldAt: string;
  /** The names of the reasons, as in the report. */
  readonly reasons: readonly string[];
  readonly confirmationCode: string;
}

export function isSameDataSet(a: DataSetName, b: DataSetName): boolean {
  return a.organizationUuid === b.organizationUuid && a.dataSet === b.dataSet;
}

/** Undefined when the state has no release of the data set. */
export function findEntry({ entries }: CatalogState, name: DataSetName): CatalogEntry | undefined {
  return entries.find((entry) => isSameDataSet(entry, name));
}
