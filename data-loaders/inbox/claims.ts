// Claims: of all who would work on a submission at most one does. A claim is a small record with a version, written only if
// nobody has written it since it was read; where such records lie is for each inbox to say. A claim is good until it
// expires and is renewed by its holder; one whose process is gone from this machine ends at once.

import { hostname } from 'node:os';
import { isAlive, ownName } from '../../shared/store/sqlite/dead-processes';

/** Longer than a loader can be kept from renewing by a step that cannot be interrupted, such as sorting millions of rows. */
export const LEASE_MS = 5 * 60_000;

export interface ClaimRecord {
  readonly holder: string;
  readonly processId: number;
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

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
  const holder = ownName();
  const written = await register.write(name, recordOf(holder, clock), version);
  return written === undefined ? undefined : new HeldClaim(register, name, clock, holder, written);
}

export class HeldClaim {
  /** Writes one after the other: renewing by the clock must not make its own holder's settling fail. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly register: ClaimRegister,
    private readonly name: string,
    private readonly clock: Clock,
    private readonly holder: string,
    private version: string | undefined,
  ) {}

  /** False when it is lost. A claim that expired and that nobody took meanwhile is good again. */
  renew(): Promise<boolean> {
    return this.inTurn(() => this.write(recordOf(this.holder, this.clock)));
  }

  release(): Promise<void> {
    return this.inTurn(async () => {
      await this.write(undefined);
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

function recordOf(holder: string, { now, leaseMs }: Clock): ClaimRecord {
  return { holder, processId: process.pid, host: hostname(), expiresAt: now().getTime() + leaseMs };
}

function isGood({ expiresAt, host, processId }: ClaimRecord, now: Date): boolean {
  if (expiresAt <= now.getTime()) return false;
  return host !== hostname() || isAlive(processId);
}

/** Undefined for what is not such a record, as when its writer was killed. */
export function readClaimRecord(text: string): ClaimRecord | undefined {
  try {
    const { holder, processId, host, expiresAt } = JSON.parse(text) as Partial<ClaimRecord>; // Checked below.
    if (holder === undefined || processId === undefined || host === undefined || expiresAt === undefined)
      return undefined;
    return { holder, processId, host, expiresAt };
  } catch {
    return undefined;
  }
}
