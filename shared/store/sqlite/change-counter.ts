// A number in a small file beside the catalog that says whether the catalog has changed (ADR 0118). Each request must
// know; asking SQLite takes locks and a statement, and reading eight bytes a fifth of that.
//
// The number is odd while a change is committed, and even and higher afterwards. So whoever has read the catalog after
// an even number knows all that was committed until the number is another one. A writer that dies in its commit leaves
// the number odd, and everybody asks SQLite until the next change.

import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';

/** Whoever had the write lock before may still have to write that its change is done. A longer wait: it has died. */
const PATIENCE_MS = 100;
const PAUSE_MS = 1;

/** What a new file says: odd, so that nobody trusts it, and below every number that a writer leaves. */
const NEVER_WRITTEN = -1;

/** A catalog that a program without the counter changes, or a person by hand, is seen after this time. */
const TRUSTED_MS = 1000;

export class ChangeCounter {
  private readonly descriptor: number;
  private readonly bytes = Buffer.alloc(8);

  constructor(path: string) {
    this.descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT);
  }

  /** Undefined while the catalog may be changing. */
  current(): number | undefined {
    const number = this.read();
    return number % 2 === 0 ? number : undefined;
  }

  /** Calls `commit`. Only whoever has the database's write lock may call it. */
  whileChanging(commit: () => void): void {
    const former = this.settled();
    const changing = former + (former % 2 === 0 ? 1 : 2);
    this.write(changing);
    try {
      commit();
    } finally {
      this.write(changing + 1);
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }

  /** The number when the writer before has written its last one. */
  private settled(): number {
    const end = performance.now() + PATIENCE_MS;
    let number = this.read();
    while (number % 2 !== 0 && number !== NEVER_WRITTEN && performance.now() < end) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      number = this.read();
    }
    return number;
  }

  private read(): number {
    const length = readSync(this.descriptor, this.bytes, 0, this.bytes.length, 0);
    return length === 0 ? NEVER_WRITTEN : this.bytes.readDoubleBE();
  }

  private write(number: number): void {
    this.bytes.writeDoubleBE(number);
    writeSync(this.descriptor, this.bytes, 0, this.bytes.length, 0);
  }
}

/** Something that was read from the catalog, for as long as the catalog has not changed. */
export class UnchangedRead<Value> {
  private last: { readonly value: Value; readonly change: number; readonly until: number } | undefined;

  constructor(
    private readonly changes: ChangeCounter,
    private readonly read: () => Value,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get(): Value {
    const change = this.changes.current();
    const now = this.now();
    if (this.last !== undefined && this.last.change === change && now < this.last.until) return this.last.value;
    const value = this.read();
    this.last = change === undefined ? undefined : { value, change, until: now + TRUSTED_MS };
    return value;
  }
}
