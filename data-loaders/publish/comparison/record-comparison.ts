// Finds which records of a release are new, gone or different from the former one, by their fingerprints, while the
// release is built (ADR 0016).

import { KeyTable, type Fingerprints } from '../../../shared/search/release-changes';
import { MAX_EXAMPLES_SHOWN } from '../../format/report';
import { SMELL_LIMITS } from '../../format/smell-texts';

/** Measures are compared as rounded to 32 bits, so a factor of exactly 100 may look a little smaller. */
const ROUNDING = 1e-5;

/** A record that a report shows: its number in each release, and its JSON if it was at hand when it was found. */
export interface RecordExample {
  /** Undefined for a record that the former release lacks. */
  readonly formerNumber: number | undefined;
  readonly nextNumber: number;
  readonly json: string | undefined;
}

/** Records of the next release and the first few examples of each sort. */
interface NextFindings {
  added: number;
  changed: number;
  /** Records with a measure that moved by SMELL_LIMITS.jumpFactor or more. */
  jumped: number;
  readonly addedExamples: RecordExample[];
  readonly changedExamples: RecordExample[];
  readonly jumpedExamples: RecordExample[];
}

export interface RecordFindings extends Readonly<NextFindings> {
  readonly formerRecords: number;
  readonly removed: number;
  /** Numbers in the former release. */
  readonly removedExamples: readonly number[];
}

export class RecordComparison {
  private readonly table: KeyTable;
  /** By number in the former release: 1 when the next release has a record of the same key. */
  private readonly isFound: Uint8Array;
  private nextNumber = 0;
  private same = 0;
  private readonly found: NextFindings = {
    ...{ added: 0, changed: 0, jumped: 0 },
    ...{ addedExamples: [], changedExamples: [], jumpedExamples: [] },
  };

  constructor(private readonly former: Fingerprints) {
    this.table = KeyTable.withAll(former.keys);
    this.isFound = new Uint8Array(former.keys.length);
  }

  /** Records come in the order of their numbers. `json` is in UTF-8, if it is at hand. */
  add(key: number, content: number, measures: readonly (number | null)[], json?: Uint8Array): void {
    const nextNumber = this.nextNumber++;
    const formerNumber = this.table.indexOf(key);
    const { found } = this;
    if (formerNumber === undefined) {
      found.added++;
      addExample(found.addedExamples, { formerNumber, nextNumber }, json);
      return;
    }
    this.isFound[formerNumber] = 1;
    if (this.former.contents[formerNumber] === content) {
      this.same++;
      return;
    }
    found.changed++;
    addExample(found.changedExamples, { formerNumber, nextNumber }, json);
    if (!measures.some((measure, index) => isJump(this.former.measures[index]?.[formerNumber], measure))) return;
    found.jumped++;
    addExample(found.jumpedExamples, { formerNumber, nextNumber }, json);
  }

  findings(): RecordFindings {
    const formerRecords = this.former.keys.length;
    const removed = formerRecords - this.same - this.found.changed;
    return { ...this.found, formerRecords, removed, removedExamples: this.firstNotFound() };
  }

  private firstNotFound(): readonly number[] {
    const numbers: number[] = [];
    let number = this.isFound.indexOf(0);
    while (number !== -1 && numbers.length < MAX_EXAMPLES_SHOWN) {
      numbers.push(number);
      number = this.isFound.indexOf(0, number + 1);
    }
    return numbers;
  }
}

/** Compares a release that is already built, whose JSON is no longer at hand. */
export function compareFingerprints(former: Fingerprints, next: Fingerprints): RecordFindings {
  const comparison = new RecordComparison(former);
  next.keys.forEach((key, number) => {
    const content = next.contents[number];
    if (content === undefined) throw new Error('the columns of fingerprints differ in length');
    const measures = next.measures.map((column) => column[number] ?? null);
    comparison.add(key, content, measures);
  });
  return comparison.findings();
}

function addExample(examples: RecordExample[], numbers: Omit<RecordExample, 'json'>, json?: Uint8Array): void {
  if (examples.length >= MAX_EXAMPLES_SHOWN) return;
  examples.push({ ...numbers, json: json && Buffer.from(json).toString() });
}

/** Whether a measure moved by a factor that smells; from or to zero, or without one of the two, there is no factor. */
export function isJump(before: number | null | undefined, after: number | null | undefined): boolean {
  const factor = Math.abs((after ?? NaN) / (before ?? NaN));
  if (!Number.isFinite(factor) || factor === 0) return false;
  return Math.max(factor, 1 / factor) >= SMELL_LIMITS.jumpFactor * (1 - ROUNDING);
}
