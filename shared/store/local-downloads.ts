// The files of releases on the local disk: one folder for each release in the data directory.

import {
  constants,
  cpSync,
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DIGEST_NAME } from '../values/digest';
import { hasCode, readIfExists } from '../values/result';
import {
  DOWNLOAD_NAMES,
  type DownloadFile,
  type DownloadFiles,
  type DownloadName,
  type DownloadSource,
  MANIFEST,
  readManifest,
  type WriteFiles,
  writeManifest,
} from './download-files';
import { makeFolder } from './make-folder';
import { createProcessName, removeStaleEntries } from './process-names';

/** Bytes per read of a download. Smaller reads cost more processor time per gigabyte. */
const READ_BYTES = 512 * 1024;

/** On file systems that support it, a copy shares the blocks of the original. */
const COPY = { recursive: true, mode: constants.COPYFILE_FICLONE } as const;

/** A release's folder is written under another name and renamed when it is complete. */
export class LocalDownloads implements DownloadFiles {
  private readonly folder: string;

  constructor(dataDirectory: string) {
    this.folder = join(dataDirectory, 'downloads');
  }

  origin(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  find(releaseId: string): Promise<readonly DownloadFile[] | undefined> {
    return Promise.resolve(this.readFiles(releaseId));
  }

  findCurrent(releaseId: string): Promise<readonly DownloadFile[] | undefined> {
    return this.find(releaseId);
  }

  open(releaseId: string, name: DownloadName): Promise<DownloadSource> {
    const path = join(this.folder, releaseId, name);
    const read = (start: number, end: number): Readable =>
      createReadStream(path, { start, end, highWaterMark: READ_BYTES });
    return Promise.resolve({ kind: 'bytes', read });
  }

  async make(releaseId: string, write: WriteFiles): Promise<void> {
    const partial = join(this.folder, createProcessName());
    makeFolder(partial);
    try {
      writeFileSync(join(partial, MANIFEST), writeManifest(await write(partial)));
      if (this.readFiles(releaseId) !== undefined) return;
      await this.remove(releaseId);
      renameSync(partial, join(this.folder, releaseId));
    } catch (error) {
      if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error;
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
  }

  fetch(releaseId: string, folder: string): Promise<void> {
    for (const name of DOWNLOAD_NAMES) cpSync(join(this.folder, releaseId, name), join(folder, name), COPY);
    return Promise.resolve();
  }

  /** Copies the files of a release from another data directory, if they exist there. */
  copyFrom(other: LocalDownloads, releaseId: string): void {
    if (other.readFiles(releaseId) === undefined || this.readFiles(releaseId) !== undefined) return;
    const partial = join(this.folder, createProcessName());
    cpSync(join(other.folder, releaseId), partial, COPY);
    renameSync(partial, join(this.folder, releaseId));
  }

  list(): Promise<readonly string[]> {
    const names = existsSync(this.folder) ? readdirSync(this.folder) : [];
    return Promise.resolve(names.filter((name) => DIGEST_NAME.test(name)));
  }

  remove(releaseId: string): Promise<void> {
    rmSync(join(this.folder, releaseId), { recursive: true, force: true });
    return Promise.resolve();
  }

  removeUnfinished(): Promise<void> {
    removeStaleEntries(this.folder, () => false);
    return Promise.resolve();
  }

  private readFiles(releaseId: string): readonly DownloadFile[] | undefined {
    const manifest = readIfExists(() => readFileSync(join(this.folder, releaseId, MANIFEST), 'utf8'));
    return manifest === undefined ? undefined : readManifest(manifest);
  }
}
