// Claims: of all who would work on a submission at most one does. A claim is a small record with a version, written only if
// nobody has written it since it was read; where such records lie is for each inbox to say. A claim is good until it
// expires and is renewed by its holder; one whose process is gone from this machine ends at once.

import { hostname } from 'node:os';
import { isProcessAlive, processName } from '../../shared/store/process-names';

/** Longer than a loader can be kept from renewing by a step that cannot be interrupted, such as sorting millions of rows. */
export const LEASE_MS = 5 * 60_000;

/** How often work on a submission ended without a report, since it was dropped. */
export interface Attempts {
  /** Its loader ended with the claim: it was killed, or it ran out of memory. */
  readonly ended: number;
  /** Its loader met a fault, and lived to say so. */
  readonly failed: number;
}

export const NO_ATTEMPTS: Attempts = { ended: 0, failed: 0 };

export interface ClaimRecord {
  /** Empty when the claim was given back, and only its attempts are of interest. */
  readonly holder: string;
  readonly processId: number;
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Before this claim. */
  readonly attempts: Attempts;
}

/** The holder of a claim that was given back. */
const FREE = '';

export interface StoredClaim {
  /** Undefined when nobody has it. */
  readonly record: ClaimRecord | undefined;
  readonly version: string;
}

export interface ClaimRegister {
  read(name: string): Promise<StoredClaim>;
  /** The new version, or undefined when the record was written since `version` was read. */
  write(name: string, record: ClaimRecord | undefined, version: string): Promise<string | undefined>;
}

export interface Clock {
  readonly now: () => Date;
  readonly leaseMs: number;
}

export async function takeClaim(register: ClaimRegister, name: string, clock: Clock): Promise<HeldClaim | undefined> {
  const { record, version } = await register.read(name);
  if (record !== undefined && isGood(record, clock.now())) return undefined;
  const holder = processName();
  const attempts = attemptsBefore(record);
  const written = await register.write(name, recordOf(holder, clock, attempts), version);
  return written === undefined ? undefined : new HeldClaim(register, name, clock, holder, attempts, written);
}

/** A claim that was neither given back nor settled ended with its loader. */
function attemptsBefore(record: ClaimRecord | undefined): Attempts {
  if (record === undefined) return NO_ATTEMPTS;
  const { holder, attempts } = record;
  return holder === FREE ? attempts : { ...attempts, ended: attempts.ended + 1 };
}

export class HeldClaim {
  /** Writes one after the other: renewing by the clock must not make its own holder's settling fail. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly register: ClaimRegister,
    private readonly name: string,
    private readonly clock: Clock,
    private readonly holder: string,
    readonly attempts: Attempts,
    private version: string | undefined,
  ) {}

  /** False when it is lost. A claim that expired and that nobody took meanwhile is good again. */
  renew(): Promise<boolean> {
    return this.inTurn(() => this.write(recordOf(this.holder, this.clock, this.attempts)));
  }

  /** The submission is where it belongs: what was counted is forgotten, since its name may come again. */
  end(): Promise<void> {
    return this.giveUp(NO_ATTEMPTS);
  }

  /** Gives the claim back; `fault` counts as an attempt. */
  release(because: 'stop' | 'fault'): Promise<void> {
    const { ended, failed } = this.attempts;
    return this.giveUp({ ended, failed: because === 'fault' ? failed + 1 : failed });
  }

  private giveUp(attempts: Attempts): Promise<void> {
    const isNone = attempts.ended === 0 && attempts.failed === 0;
    const record = { holder: FREE, processId: 0, host: '', expiresAt: 0, attempts };
    return this.inTurn(async () => {
      await this.write(isNone ? undefined : record);
      this.version = undefined;
    });
  }

  private async write(record: ClaimRecord | undefined): Promise<boolean> {
    if (this.version === undefined) return false;
    this.version = await this.register.write(this.name, record, this.version);
    return this.version !== undefined;
  }

  private inTurn<Value>(act: () => Promise<Value>): Promise<Value> {
    const turn = this.last.then(act, act);
    this.last = turn;
    return turn;
  }
}

function recordOf(holder: string, { now, leaseMs }: Clock, attempts: Attempts): ClaimRecord {
  return { holder, processId: process.pid, host: hostname(), expiresAt: now().getTime() + leaseMs, attempts };
}

function isGood({ expiresAt, host, processId }: ClaimRecord, now: Date): boolean {
  if (expiresAt <= now.getTime()) return false;
  return host !== hostname() || isProcessAlive(processId);
}

/** Undefined for what is not such a record, as when its writer was killed. */
export function readClaimRecord(text: string): ClaimRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<ClaimRecord>; // Checked below.
    const { holder, processId, host, expiresAt, attempts = NO_ATTEMPTS } = record;
    if (holder === undefined || processId === undefined || host === undefined || expiresAt === undefined)
      return undefined;
    return { holder, processId, host, expiresAt, attempts };
  } catch {
    return undefined;
  }
}
