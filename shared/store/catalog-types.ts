// The types of the catalog: states with the current release of each data set, access keys and their use, and
// self-service requests for keys.

import type { DataSetKind } from '../records/data-sets';
import { compareUtf8 } from '../values/compare-utf8';
import { digestContent } from '../values/digest';

/** The statements of submission.json about the data, which are part of the release (ADR 0105). */
export interface DataStatement {
  readonly contact: string | null;
  /** Text or a web address. */
  readonly termsOfUse: string | null;
  /** A web address. */
  readonly license: string | null;
  readonly citation: string | null;
}

/** Adds the statements about the submission itself, which are not part of the data version (ADR 0105). */
export interface SubmissionStatement extends DataStatement {
  /** The name of the submission's folder. */
  readonly name: string;
  readonly note: string | null;
}

export interface CatalogEntry {
  readonly organizationUuid: string;
  readonly dataSet: DataSetKind;
  readonly releaseId: string;
  readonly records: number;
  /** Samples are dropped by the first real publish (architecture.md, "The path of a submission"). */
  readonly isSample: boolean;
  /** ISO 8601, UTC. */
  readonly publishedAt: string;
  /** Missing in entries that older program versions wrote. */
  readonly submission?: SubmissionStatement;
  /**
   * Set if the release could not be rebuilt to this format, because none of its rows was accepted or readable. A
   * service of that format starts without the data set (ADR 0050).
   */
  readonly notRebuiltTo?: number;
}

/** Immutable. */
export interface CatalogState {
  /** The data version (D33): a digest of the current release of each data set. */
  readonly version: string;
  /** By organization, then data set (D17). */
  readonly entries: readonly CatalogEntry[];
  /** When this state became current, ISO 8601, UTC; null for the empty state of a new store. */
  readonly since: string | null;
  /** The command that created the state, for the operator: "load", "rollback" and so on. */
  readonly cause: string;
}

/** The cause of a state that was published by loading the samples. */
export const SAMPLES_CAUSE = 'samples';

/** Null means that the limit in the settings applies. */
export interface KeyLimits {
  readonly requestsPerMinute: number | null;
  readonly recordsPerMinute: number | null;
}

export interface KeyRecord extends KeyLimits {
  /** Identifies the key in lists and logs. Not a secret. */
  readonly id: string;
  /** SHA-256 of the whole key, hexadecimal. */
  readonly hash: string;
  readonly owner: string;
  readonly issuedAt: string;
  /** The first moment at which the key is no longer accepted; null if it does not expire. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** The id of the key that this key replaces. */
  readonly replaces: string | null;
  /** The id of the key that replaces this key, so that it can be rotated only once. */
  readonly replacedBy: string | null;
  /** The id of the first key in its chain of rotations: its own id, unless it replaces another key. */
  readonly chainId: string;
  readonly mayReadMetrics: boolean;
  /** The organization (OrganizationUUID) whose submissions the key may send (D76); missing for other keys. */
  readonly submits?: string;
  /**
   * The address to which a self-service key was mailed (D56). Empty after it was deleted together with the owner. Null
   * for a key that the operator issued.
   */
  readonly email: string | null;
}

/** The documents of self-service keys (D56), by kind. Addresses, mailboxes and tokens are stored as digests. */
export interface SelfServiceContents {
  /** Signs challenges and digests. Created by the first process that needs it. */
  readonly secret: { readonly secret: string };
  /** A challenge that was already answered. */
  readonly proof: object;
  /** The times of requests or mails, in milliseconds. */
  readonly recent: { readonly times: readonly number[] };
  /** The number of requests on a day. */
  readonly day: { readonly requests: number };
  /** A request whose email is not sent yet, or whose token is not used yet. */
  readonly request: KeyRequest;
  /** A domain to which no email is sent. */
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
  /** ISO 8601, UTC. After this time, the record is ignored and deleted. */
  readonly expiresAt: string;
  readonly content: SelfServiceContents[Kind];
}

/** Times are in milliseconds. */
export interface KeyRequest {
  readonly name: string;
  readonly email: string;
  readonly askedAt: number;
  /** When the email is due; null after it was sent. */
  readonly tryAt: number | null;
  readonly tries: number;
  /** SHA-256 of the token in the last email; null before the first email. */
  readonly tokenHash: string | null;
}

/** The use of a key on one day (ADR 0043). */
export interface KeyUse {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly keyId: string;
  readonly requests: number;
  /** Records that were sent. */
  readonly records: number;
  /** Requests that were refused because of the key's limits. */
  readonly refused: number;
  /** ISO 8601, UTC. */
  readonly lastUsedAt: string;
}

/** Adds up the use of one key on one day. */
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
  const sorted = [...entries].sort(compareDataSets);
  const identities = sorted.map((entry) => [entry.organizationUuid, entry.dataSet, entry.releaseId]);
  return { version: digestContent(JSON.stringify(identities)), entries: sorted, since, cause };
}

export const EMPTY_STATE: CatalogState = buildCatalogState([], null, 'new store');

/** Compares entries by their order in a state (D17). */
export function compareDataSets(a: DataSetName, b: DataSetName): number {
  return compareUtf8(a.organizationUuid, b.organizationUuid) || compareUtf8(a.dataSet, b.dataSet);
}

/**
 * Returns the entries that are not in `others`: entries of other data sets, or of other publishes. Both lists are in
 * the order of a state.
 */
export function subtractEntries(
  entries: readonly CatalogEntry[],
  others: readonly CatalogEntry[],
): readonly CatalogEntry[] {
  let index = 0;
  return entries.filter((entry) => {
    for (let other = others[index]; other !== undefined; other = others[index]) {
      // States share the objects of entries that they have in common.
      const order = other === entry ? 0 : compareDataSets(other, entry);
      if (order > 0) return true;
      index++;
      if (order === 0) return other.releaseId !== entry.releaseId || other.publishedAt !== entry.publishedAt;
    }
    return true;
  });
}

/** Identifies a data set, independent of its releases. */
export type DataSetName = Pick<CatalogEntry, 'organizationUuid' | 'dataSet'>;

/** Something in the inbox that is not processed (D75). */
export interface NotReadEntry {
  /** Its path in the inbox. */
  readonly path: string;
  readonly reason:
    | 'link'
    | 'archive'
    | 'workbook'
    | 'loose-file'
    | 'no-marker'
    | 'empty-folder'
    | 'several-folders'
    | 'outside-waiting'
    | 'other';
  /** When it was first seen. ISO 8601, UTC. */
  readonly since: string;
}

/** A data set with a submission that is held until it is confirmed (D64). */
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
