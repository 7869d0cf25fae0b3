// The files of releases in a container of Azure Blob Storage (ADR 0065): RELEASE/NAME, and RELEASE/files.json, which is
// written last. Clients download from the storage, at an address that is signed for each download.

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BlockBlobClient, ContainerClient } from '@azure/storage-blob' with { 'resolution-mode': 'import' };
import { DIGEST_NAME } from '../values/digest';
import { LeastRecentlyUsedCache } from '../values/least-recently-used-cache';
import {
  BlobAddresses,
  type ContainerLocation,
  ignoreStatuses,
  openContainer,
  REQUEST_TIMEOUT_MS,
} from './blob-container';
import {
  DOWNLOAD_MEDIA_TYPES,
  DOWNLOAD_NAMES,
  type DownloadFile,
  type DownloadFiles,
  type DownloadName,
  type DownloadSource,
  getDownloadCacheControl,
  MANIFEST,
  readManifest,
  type WriteFiles,
  writeManifest,
} from './download-files';
import { makeFolder } from './make-folder';
import { StoreUnavailableError } from './port';
import { createProcessName } from './process-names';

/** Room for the file lists of a thousand releases. */
const CACHE_BYTES = 1024 * 1024;

interface BlobDownloadsOptions {
  /** Where files are written before they are uploaded. */
  readonly stagingDirectory: string;
  readonly now: () => Date;
}

export class BlobDownloads implements DownloadFiles {
  private addressesPromise: Promise<BlobAddresses> | undefined;
  private readonly cache = new LeastRecentlyUsedCache<readonly DownloadFile[]>(CACHE_BYTES);

  constructor(
    private readonly location: ContainerLocation,
    private readonly options: BlobDownloadsOptions,
  ) {}

  async origin(): Promise<string> {
    return new URL((await this.client()).url).origin;
  }

  async find(releaseId: string): Promise<readonly DownloadFile[] | undefined> {
    const blob = await this.blob(releaseId, MANIFEST);
    const abortSignal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const content = await throwUnavailable(ignoreStatuses([404], blob.downloadToBuffer(0, undefined, { abortSignal })));
    return content === undefined ? undefined : readManifest(content.toString());
  }

  async findCurrent(releaseId: string): Promise<readonly DownloadFile[] | undefined> {
    const cached = this.cache.get(releaseId);
    if (cached !== undefined) return cached;
    const files = await this.find(releaseId);
    if (files !== undefined) this.cache.set(releaseId, files, JSON.stringify(files).length);
    return files;
  }

  async open(releaseId: string, name: DownloadName, savedName: string = name): Promise<DownloadSource> {
    const addresses = await this.addresses();
    const signing = addresses.signAddress(`${releaseId}/${name}`, `attachment; filename="${savedName}"`);
    return { kind: 'address', url: await throwUnavailable(signing) };
  }

  async make(releaseId: string, write: WriteFiles): Promise<void> {
    const folder = join(this.options.stagingDirectory, createProcessName());
    makeFolder(folder);
    try {
      const files = await write(folder);
      const manifest = await this.blob(releaseId, MANIFEST);
      if ((await this.find(releaseId)) !== undefined) return;
      // A manifest of another version of the program would describe files that are being replaced.
      await manifest.deleteIfExists();
      for (const file of files) await upload(await this.blob(releaseId, file.name), join(folder, file.name), file);
      const text = writeManifest(files);
      await manifest.upload(text, Buffer.byteLength(text));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  async fetch(releaseId: string, folder: string): Promise<void> {
    for (const name of DOWNLOAD_NAMES) await (await this.blob(releaseId, name)).downloadToFile(join(folder, name));
  }

  async list(): Promise<readonly string[]> {
    const client = await this.client();
    const names: string[] = [];
    for await (const item of client.listBlobsByHierarchy('/')) {
      const name = item.name.replace(/\/$/, '');
      if (item.kind === 'prefix' && DIGEST_NAME.test(name)) names.push(name);
    }
    return names;
  }

  /** Deletes the manifest first, so that no reader finds an incomplete set of files. */
  async remove(releaseId: string): Promise<void> {
    for (const name of [MANIFEST, ...DOWNLOAD_NAMES]) await (await this.blob(releaseId, name)).deleteIfExists();
  }

  /** The janitor cleans the staging directory, and the storage drops uncommitted uploads. */
  removeUnfinished(): Promise<void> {
    return Promise.resolve();
  }

  private async blob(releaseId: string, name: string): Promise<BlockBlobClient> {
    return (await this.client()).getBlockBlobClient(`${releaseId}/${name}`);
  }

  private async client(): Promise<ContainerClient> {
    return (await this.addresses()).container.client;
  }

  private addresses(): Promise<BlobAddresses> {
    this.addressesPromise ??= openContainer(this.location).then(
      (container) => new BlobAddresses(container, this.options.now),
    );
    return this.addressesPromise;
  }
}

/** Skips the upload if the blob already has the same bytes, so that a download in progress is not interrupted. */
async function upload(blob: BlockBlobClient, path: string, { name, sha256 }: DownloadFile): Promise<void> {
  const existing = await ignoreStatuses([404], blob.getProperties());
  if (existing?.metadata?.['sha256'] === sha256 && existing.contentLength === statSync(path).size) return;
  await blob.uploadFile(path, {
    metadata: { sha256 },
    blobHTTPHeaders: {
      blobContentType: DOWNLOAD_MEDIA_TYPES[name],
      blobCacheControl: getDownloadCacheControl(name),
      blobContentDisposition: `attachment; filename="${name}"`,
    },
  });
}

/** Turns any failure of the storage into a StoreUnavailableError, which results in status 503. */
async function throwUnavailable<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw new StoreUnavailableError('the container of EXPORTS_CONTAINER cannot be read', { cause: error });
  }
}
