// Limits the bytes that an unpacked archive or workbook may take on disk (D76).

import { formatNumber } from '../format/report-numbers';
import { PackageProblem } from './package-problem';

const MEGABYTE = 1024 * 1024;

export class ByteBudget {
  private bytesUsed = 0;

  constructor(private readonly maxBytes: number) {}

  /** Throws a PackageProblem if the package `name` exceeds the budget. */
  use(bytes: number, name: string): void {
    this.bytesUsed += bytes;
    if (this.bytesUsed <= this.maxBytes) return;
    const limit = formatNumber(Math.floor(this.maxBytes / MEGABYTE));
    throw new PackageProblem(
      `${name} is too large when unpacked: its files may have at most ${limit} MB in total; send it in smaller parts`,
    );
  }
}
