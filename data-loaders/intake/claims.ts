// Claims ensure that only one loader at a time works on a submission (ADR 0018). A claim is a small record with a
// version. It is written only if nobody else has written it since it was read. It is valid until it expires, and its
// holder renews it. A claim ends immediately if its process no longer runs on this machine.

import { hostname } from 'node:os';
import { createProcessName, isProcessAlive } from '../../shared/store/process-names';
import type { InboxStorage, VersionedText } from './inbox-storage';

/** Longer than the longest step between renewals, such as sorting millions of rows. */
export const LEASE_MS = 5 * 60_000;

/** How often work on a submission ended without a report (ADR 0018). */
interface Attempts {
  /** How often the loader ended without releasing its claim, because it was killed or ran out of memory. */
  readonly ended: number;
  /** How often the loader met a fault and released the claim. */
  readonly failed: number;
}

const NO_ATTEMPTS: Attempts = { ended: 0, failed: 0 };

interface ClaimRecord {
  /** Empty if the claim was released and is kept only to count attempts. */
  readonly holder: string;
  readonly processId: number;
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The attempts before this claim. */
  readonly attempts: Attempts;
}

const NO_HOLDER = '';

export interface Clock {
  readonly now: () => Date;
  /** How long a claim lasts without a renewal. */
  readonly leaseMs: number;
}

interface ClaimContext {
  readonly storage: InboxStorage;
  /** The submission's name. */
  readonly name: string;
  readonly clock: Clock;
}

/** Undefined if another loader has a valid claim, or wrote its claim first. */
export async function takeLease(context: ClaimContext): Promise<ClaimLease | undefined> {
  const { storage, name, clock } = context;
  const stored = await storage.readClaim(name);
  const record = readRecord(stored, clock);
  if (record !== undefined && isValid(record, clock.now())) return undefined;
  const isTakenOver = record !== undefined && record.holder !== NO_HOLDER;
  const { ended, failed } = record?.attempts ?? NO_ATTEMPTS;
  const granted = {
    holder: createProcessName(),
    attempts: { ended: isTakenOver ? ended + 1 : ended, failed },
    isTakenOver,
  };
  const version = await storage.writeClaim(name, formatClaim(granted, clock), stored.version);
  return version === undefined ? undefined : new ClaimLease(context, granted, version);
}

export class ClaimLease {
  /**
   * The last write. Writes are queued, so that a scheduled renewal cannot interfere when the same holder settles the
   * submission.
   */
  private lastWrite: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly context: ClaimContext,
    /** `isTakenOver`: the previous holder ended without releasing the claim or settling the submission. */
    readonly granted: Pick<ClaimRecord, 'holder' | 'attempts'> & { readonly isTakenOver: boolean },
    /** Undefined if the claim was lost or released. */
    private version: string | undefined,
  ) {}

  /** Returns false if the claim is lost. An expired claim becomes valid again if nobody else has taken it. */
  renew(): Promise<boolean> {
    return this.enqueue(() => this.write(formatClaim(this.granted, this.context.clock)));
  }

  /**
   * Ends the claim on a settled submission and discards its attempts, because another submission may have the same
   * name.
   */
  end(): Promise<void> {
    return this.giveUp(NO_ATTEMPTS);
  }

  /** Releases the claim. With `fault`, this counts as an attempt. Does nothing after the claim has ended. */
  release(because: 'stop' | 'fault'): Promise<void> {
    const { ended, failed } = this.granted.attempts;
    return this.giveUp({ ended, failed: because === 'fault' ? failed + 1 : failed });
  }

  private giveUp(attempts: Attempts): Promise<void> {
    const record: ClaimRecord = { holder: NO_HOLDER, processId: 0, host: '', expiresAt: 0, attempts };
    return this.enqueue(async () => {
      await this.write(attempts.ended + attempts.failed > 0 ? JSON.stringify(record) : undefined);
      this.version = undefined;
    });
  }

  private async write(text: string | undefined): Promise<boolean> {
    if (this.version === undefined) return false;
    const { storage, name } = this.context;
    this.version = await storage.writeClaim(name, text, this.version);
    return this.version !== undefined;
  }

  private enqueue<Value>(act: () => Promise<Value>): Promise<Value> {
    const turn = this.lastWrite.then(act, act);
    this.lastWrite = turn;
    return turn;
  }
}

function formatClaim({ holder, attempts }: Pick<ClaimRecord, 'holder' | 'attempts'>, { now, leaseMs }: Clock): string {
  const expiresAt = now().getTime() + leaseMs;
  const record: ClaimRecord = { holder, processId: process.pid, host: hostname(), expiresAt, attempts };
  return JSON.stringify(record);
}

function isValid({ expiresAt, host, processId }: ClaimRecord, now: Date): boolean {
  if (expiresAt <= now.getTime()) return false;
  return host !== hostname() || isProcessAlive(processId);
}

/**
 * Parses a claim. If the text is not a valid record, the record is still being written or its writer was killed; it
 * then counts as a claim of the usual duration.
 */
function readRecord({ text, writtenAt }: VersionedText, { leaseMs }: Clock): ClaimRecord | undefined {
  if (text === undefined) return undefined;
  const record = { holder: 'unknown', processId: 0, host: '', expiresAt: writtenAt + leaseMs, attempts: NO_ATTEMPTS };
  try {
    // Written by this version, or by an older one that did not count attempts.
    return { ...record, ...(JSON.parse(text) as Partial<ClaimRecord>) };
  } catch {
    return record;
  }
}
