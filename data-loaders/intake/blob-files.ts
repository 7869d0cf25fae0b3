// The files of a container of Azure Blob Storage, as an inbox reads and writes them.

import { text as textOf } from 'node:stream/consumers';
import type { ContainerClient } from '@azure/storage-blob' with { 'resolution-mode': 'import' };
import { openContainer, unless, type ContainerLocation } from '../../shared/store/blob-container';
import type { VersionedText } from './inbox-storage';

export interface BlobFile {
  /** Below the prefix that was asked for. */
  readonly path: string;
  /** Changes each time the blob is written. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** The version of a blob that is not there. */
export const ABSENT = '';

export async function openBlobFiles(location: ContainerLocation): Promise<BlobFiles> {
  return new BlobFiles((await openContainer(location)).client);
}

export class BlobFiles {
  constructor(private readonly container: ContainerClient) {}

  /** `prefix` ends with a slash. */
  async *below(prefix: string): AsyncIterable<BlobFile> {
    for await (const blob of this.container.listBlobsFlat({ prefix, includeMetadata: true })) {
      const path = blob.name.slice(prefix.length);
      // Storage with a hierarchy, and programs that show folders, keep an empty blob for each folder.
      if (path === '' || path.endsWith('/') || blob.metadata?.['hdi_isfolder'] === 'true') continue;
      yield { path, etag: blob.properties.etag, modifiedAt: blob.properties.lastModified.getTime() };
    }
  }

  async list(prefix: string): Promise<readonly BlobFile[]> {
    const files: BlobFile[] = [];
    for await (const file of this.below(prefix)) files.push(file);
    return files;
  }

  async read(path: string): Promise<VersionedText> {
    const found = await unless([404], this.container.getBlobClient(path).download());
    if (found?.readableStreamBody === undefined) return { text: undefined, version: ABSENT, writtenAt: 0 };
    const { readableStreamBody, etag = ABSENT, lastModified } = found;
    return { text: await textOf(readableStreamBody), version: etag, writtenAt: lastModified?.getTime() ?? 0 };
  }

  async write(path: string, text: string): Promise<void> {
    await this.container.getBlockBlobClient(path).upload(text, Buffer.byteLength(text));
  }

  /** The new version, or undefined when the blob has another version than `version`. */
  async writeOver(path: string, text: string, version: string): Promise<string | undefined> {
    const conditions = version === ABSENT ? { ifNoneMatch: '*' } : { ifMatch: version };
    const blob = this.container.getBlockBlobClient(path);
    return (await unless([404, 409, 412], blob.upload(text, Buffer.byteLength(text), { conditions })))?.etag;
  }

  /** False when there is no such blob, or none in that version. */
  async delete(path: string, version?: string): Promise<boolean> {
    const deleting = this.container.getBlobClient(path).delete(onlyIf(version));
    return (await unless([404, 412], deleting)) !== undefined;
  }

  async upload(localFile: string, path: string): Promise<void> {
    await this.container.getBlockBlobClient(path).uploadFile(localFile);
  }

  /** Throws when there is no such blob, or none in that version. */
  async download(path: string, localFile: string, version?: string): Promise<void> {
    await this.container.getBlobClient(path).downloadToFile(localFile, 0, undefined, onlyIf(version));
  }

  /** Copied by the storage itself. Does nothing when there is no such blob, or none in that version. */
  async copy(from: string, to: string, version?: string): Promise<void> {
    const conditions = version === undefined ? {} : { sourceConditions: { ifMatch: version } };
    const { url } = this.container.getBlobClient(from);
    const copying = this.container.getBlobClient(to).beginCopyFromURL(url, { ...conditions, intervalInMs: 100 });
    const copied = await unless(
      [404, 412],
      copying.then((poller) => poller.pollUntilDone()),
    );
    if (copied === undefined || copied.copyStatus === 'success') return;
    throw new Error(`copying ${from} ended as ${copied.copyStatus ?? 'unknown'}`);
  }
}

function onlyIf(version: string | undefined): { conditions?: { ifMatch: string } } {
  return version === undefined ? {} : { conditions: { ifMatch: version } };
}
