// Claims of a folder inbox: a file each time one is written, numbered one up, in a folder of the submission's name. Making a file
// that must not be there yet is atomic on every file system, so of two writers of one number one fails.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../shared/values/error-code';
import { NO_ATTEMPTS, readClaimRecord, type ClaimRecord, type ClaimRegister, type StoredClaim } from './claims';

const CLAIM_FILE = /^claim\.(\d+)$/;

/** What stands in the file when nobody has the claim. The file stays: numbers must not begin again. */
const FREE = 'free';

export class FolderClaims implements ClaimRegister {
  constructor(
    private readonly workingFolder: string,
    private readonly leaseMs: number,
  ) {}

  read(name: string): Promise<StoredClaim> {
    for (;;) {
      const newest = Math.max(0, ...this.numbers(name));
      if (newest === 0) return Promise.resolve({ record: undefined, version: '0' });
      try {
        const record = this.readRecord(this.pathOf(name, newest));
        return Promise.resolve({ record, version: String(newest) });
      } catch (error) {
        // Its successor was written between the two looks.
        if (!hasCode(error, 'ENOENT')) throw error;
      }
    }
  }

  write(name: string, record: ClaimRecord | undefined, version: string): Promise<string | undefined> {
    const number = Number(version) + 1;
    const path = this.pathOf(name, number);
    mkdirSync(join(this.workingFolder, name), { recursive: true });
    try {
      writeFileSync(path, record === undefined ? FREE : JSON.stringify(record), { flag: 'wx' });
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return Promise.resolve(undefined);
      throw error;
    }
    const numbers = this.numbers(name);
    // Of a writer that paused long enough the number may be free again: the files before the newest are removed.
    if (numbers.some((other) => other > number)) {
      rmSync(path, { force: true });
      return Promise.resolve(undefined);
    }
    for (const other of numbers) if (other < number) rmSync(this.pathOf(name, other), { force: true });
    return Promise.resolve(String(number));
  }

  private numbers(name: string): readonly number[] {
    try {
      const files = readdirSync(join(this.workingFolder, name));
      return files.flatMap((file) => CLAIM_FILE.exec(file)?.slice(1).map(Number) ?? []);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return [];
      throw error;
    }
  }

  private readRecord(path: string): ClaimRecord | undefined {
    const text = readFileSync(path, 'utf8');
    if (text === FREE) return undefined;
    // Just being written, or its writer was killed there: good for as long as any.
    const expiresAt = statSync(path).mtimeMs + this.leaseMs;
    return readClaimRecord(text) ?? { holder: 'unknown', host: '', processId: 0, expiresAt, attempts: NO_ATTEMPTS };
  }

  private pathOf(name: string, number: number): string {
    return join(this.workingFolder, name, `claim.${number}`);
  }
}
