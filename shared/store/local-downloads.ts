// The files of releases on the local disk: a folder for each release in the data directory, which appears by its name.

import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DIGEST_NAME } from '../values/digest';
import { hasCode } from '../values/result';
import {
  DOWNLOAD_NAMES,
  MANIFEST,
  readManifest,
  writeManifest,
  type DownloadFile,
  type DownloadFiles,
  type DownloadName,
  type DownloadSource,
  type WriteFiles,
} from './download-files';
import { FileSlice } from './file-slice';
import { processName, removeLeftovers } from './process-names';

/** Where the file system can, a copy shares the blocks of the original. */
const COPY = { recursive: true, mode: constants.COPYFILE_FICLONE } as const;

export class LocalDownloads implements DownloadFiles {
  private readonly folder: string;

  constructor(dataDirectory: string) {
    this.folder = join(dataDirectory, 'downloads');
  }

  origin(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  find(releaseId: string): Promise<readonly DownloadFile[] | undefined> {
    return Promise.resolve(this.findNow(releaseId));
  }

  findCurrent(releaseId: string): Promise<readonly DownloadFile[] | undefined> {
    return this.find(releaseId);
  }

  open(releaseId: string, name: DownloadName): Promise<DownloadSource> {
    const path = join(this.folder, releaseId, name);
    return Promise.resolve({
      kind: 'bytes',
      read: (start, end) => new FileSlice(path, start, end),
    });
  }

  async make(releaseId: string, write: WriteFiles): Promise<void> {
    const partial = join(this.folder, processName());
    mkdirSync(partial, { recursive: true });
    try {
      writeFileSync(join(partial, MANIFEST), writeManifest(await write(partial)));
      if (this.findNow(releaseId) !== undefined) return;
      this.removeNow(releaseId);
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

  /** Copies the files of a release from another data directory, if they are made there. */
  copyFrom(other: LocalDownloads, releaseId: string): void {
    if (other.findNow(releaseId) === undefined || this.findNow(releaseId) !== undefined) return;
    const partial = join(this.folder, processName());
    cpSync(join(other.folder, releaseId), partial, COPY);
    renameSync(partial, join(this.folder, releaseId));
  }

  list(): Promise<readonly string[]> {
    const names = existsSync(this.folder) ? readdirSync(this.folder) : [];
    return Promise.resolve(names.filter((name) => DIGEST_NAME.test(name)));
  }

  remove(releaseId: string): Promise<void> {
    this.removeNow(releaseId);
    return Promise.resolve();
  }

  removeUnfinished(): Promise<void> {
    removeLeftovers(this.folder, () => false);
    return Promise.resolve();
  }

  private findNow(releaseId: string): readonly DownloadFile[] | undefined {
    try {
      return readManifest(readFileSync(join(this.folder, releaseId, MANIFEST), 'utf8'));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  private removeNow(releaseId: string): void {
    rmSync(join(this.folder, releaseId), { recursive: true, force: true });
  }
}
