// The files of releases that are downloaded whole (D44), on the local disk: a folder for each release, which appears
// when all of its files are there. They are made from the release, so whatever is lost is made anew.

import {
  constants,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  type ReadStream,
} from 'node:fs';
import { join } from 'node:path';
import { DIGEST_NAME } from '../values/digest';
import { hasCode } from '../values/result';
import { processName, removeLeftovers } from './process-names';

/** In the order in which they are listed. */
export const DOWNLOAD_NAMES = ['records.parquet', 'places.parquet', 'records.csv.gz'] as const;

export type DownloadName = (typeof DOWNLOAD_NAMES)[number];

/** Raise it when a file holds anything else: files of another number are made anew. */
const CONTENT_VERSION = 1;

export const DOWNLOAD_MEDIA_TYPES: Readonly<Record<DownloadName, string>> = {
  'records.parquet': 'application/vnd.apache.parquet',
  'places.parquet': 'application/vnd.apache.parquet',
  'records.csv.gz': 'application/gzip',
};

export interface DownloadFile {
  readonly name: DownloadName;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

interface Manifest {
  readonly version: number;
  readonly files: readonly DownloadFile[];
}

const MANIFEST = 'files.json';

export class DownloadFiles {
  private readonly folder: string;

  constructor(dataDirectory: string) {
    this.folder = join(dataDirectory, 'downloads');
  }

  /** Undefined until they are made. */
  find(releaseId: string): readonly DownloadFile[] | undefined {
    try {
      const text = readFileSync(join(this.folder, releaseId, MANIFEST), 'utf8');
      const manifest = JSON.parse(text) as Manifest; // Written by `make`.
      return manifest.version === CONTENT_VERSION ? manifest.files : undefined;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** The bytes of a file from `start` up to and with `end`. */
  read(releaseId: string, name: DownloadName, start: number, end: number): ReadStream {
    return createReadStream(join(this.folder, releaseId, name), { start, end });
  }

  /**
   * `write` puts the files into the folder that it is given. What it leaves when it fails or is killed is removed. Of
   * two processes that make the same files at once, one does it for both.
   */
  async make(releaseId: string, write: (folder: string) => Promise<readonly DownloadFile[]>): Promise<void> {
    const partial = join(this.folder, processName());
    mkdirSync(partial, { recursive: true });
    try {
      const manifest: Manifest = { version: CONTENT_VERSION, files: await write(partial) };
      writeFileSync(join(partial, MANIFEST), JSON.stringify(manifest));
      if (this.find(releaseId) !== undefined) return;
      this.remove(releaseId);
      renameSync(partial, join(this.folder, releaseId));
    } catch (error) {
      if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error;
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
  }

  /** Copies the files of a release from another data directory, if they are made there. */
  copyFrom(other: DownloadFiles, releaseId: string): void {
    if (other.find(releaseId) === undefined || this.find(releaseId) !== undefined) return;
    const partial = join(this.folder, processName());
    // Where the file system can, a copy shares the blocks of the original.
    cpSync(join(other.folder, releaseId), partial, { recursive: true, mode: constants.COPYFILE_FICLONE });
    renameSync(partial, join(this.folder, releaseId));
  }

  /** The releases that have a folder. */
  list(): readonly string[] {
    return existsSync(this.folder) ? readdirSync(this.folder).filter((name) => DIGEST_NAME.test(name)) : [];
  }

  remove(releaseId: string): void {
    rmSync(join(this.folder, releaseId), { recursive: true, force: true });
  }

  /** Removes what dead processes left behind. */
  removeUnfinished(): void {
    removeLeftovers(this.folder, () => false);
  }
}
