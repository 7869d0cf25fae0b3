// Which records of a release are new, gone or other than in the former one, found by fingerprints while the release is built.

import { KeyTable, type Fingerprints } from '../../build/index/fingerprints';
import { SMELL_LIMITS } from '../../format/smell-texts';

/** Measures are compared as rounded to 32 bits: a factor of exactly 100 may look a little less. */
const ROUNDING = 1e-5;

/** A record worth showing: its number in each release, and its JSON where it is at hand. */
export interface RecordExample {
  readonly formerNumber: number | undefined;
  readonly nextNumber: number;
  readonly json: string | undefined;
}

/** Its JSON in UTF-8. */
type FoundRecord = Omit<RecordExample, 'json'> & { readonly json: Uint8Array | undefined };

export interface RecordFindings {
  readonly formerRecords: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly addedExamples: readonly RecordExample[];
  readonly changedExamples: readonly RecordExample[];
  /** Numbers in the former release. */
  readonly removedExamples: readonly number[];
  /** Records with a measure that moved by SMELL_LIMITS.jumpFactor or more. */
  readonly jumped: number;
  readonly jumpedExamples: readonly RecordExample[];
}

export class RecordComparison {
  private readonly table: KeyTable;
  private readonly isFound: Uint8Array;
  private next = 0;
  private added = 0;
  private changed = 0;
  private same = 0;
  private jumped = 0;
  private readonly addedExamples: RecordExample[] = [];
  private readonly changedExamples: RecordExample[] = [];
  private readonly jumpedExamples: RecordExample[] = [];

  constructor(
    private readonly former: Fingerprints,
    private readonly maxExamples: number,
  ) {
    this.table = new KeyTable(former.keys);
    this.isFound = new Uint8Array(former.keys.length);
  }

  /** Records come in the order of their numbers. */
  add(key: number, content: number, measures: readonly (number | null)[], json: Uint8Array | undefined): void {
    const nextNumber = this.next++;
    const formerNumber = this.table.indexOf(key);
    if (formerNumber === undefined) {
      this.added++;
      this.show(this.addedExamples, { formerNumber, nextNumber, json });
      return;
    }
    this.isFound[formerNumber] = 1;
    if (this.former.contents[formerNumber] === content) {
      this.same++;
      return;
    }
    this.changed++;
    this.show(this.changedExamples, { formerNumber, nextNumber, json });
    if (!measures.some((measure, index) => isJump(this.former.measures[index]?.[formerNumber], measure))) return;
    this.jumped++;
    this.show(this.jumpedExamples, { formerNumber, nextNumber, json });
  }

  findings(): RecordFindings {
    const { added, changed, same, jumped, addedExamples, changedExamples, jumpedExamples } = this;
    const formerRecords = this.former.keys.length;
    return {
      ...{ formerRecords, added, changed, removed: formerRecords - same - changed, jumped },
      ...{ addedExamples, changedExamples, jumpedExamples, removedExamples: this.firstNotFound() },
    };
  }

  private show(examples: RecordExample[], { formerNumber, nextNumber, json }: FoundRecord): void {
    if (examples.length >= this.maxExamples) return;
    examples.push({ formerNumber, nextNumber, json: json && Buffer.from(json).toString() });
  }

  private firstNotFound(): readonly number[] {
    const numbers: number[] = [];
    for (let at = this.isFound.indexOf(0); at !== -1 && numbers.length < this.maxExamples;) {
      numbers.push(at);
      at = this.isFound.indexOf(0, at + 1);
    }
    return numbers;
  }
}

/** Of a release that is already built, whose JSON is not at hand any more. */
export function compareFingerprints(former: Fingerprints, next: Fingerprints, maxExamples: number): RecordFindings {
  const comparison = new RecordComparison(former, maxExamples);
  for (let index = 0; index < next.keys.length; index++) {
    const measures = next.measures.map((column) => column[index] ?? null);
    comparison.add(next.keys[index] ?? 0, next.contents[index] ?? 0, measures, undefined);
  }
  return comparison.findings();
}

/** From or to zero is no factor. */
export function isJump(before: number | null | undefined, after: number | null | undefined): boolean {
  const factor = Math.abs((after ?? NaN) / (before ?? NaN));
  if (!Number.isFinite(factor) || factor === 0) return false;
  return Math.max(factor, 1 / factor) >= SMELL_LIMITS.jumpFactor * (1 - ROUNDING);
}
