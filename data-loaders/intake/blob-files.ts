// The files of a container of Azure Blob Storage, as an inbox reads and writes them.

import { text as textOf } from 'node:stream/consumers';
import type { ContainerClient } from '@azure/storage-blob' with { 'resolution-mode': 'import' };
import { openContainer, unless, type ContainerLocation } from '../../shared/store/blob-container';
import { FILE_PIECE_BYTES } from '../format/submitted-files';
import type { VersionedText } from './inbox-storage';

export interface BlobFile {
  /** Below the prefix that was asked for. */
  readonly path: string;
  /** Changes each time the blob is written. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** In bytes. */
  readonly size: number;
}

/** So many connections may break one after the other without a byte; the client tries to connect several times. */
const MAX_BROKEN_IN_TURN = 5;

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
      const { etag, lastModified, contentLength = 0 } = blob.properties;
      yield { path, etag, modifiedAt: lastModified.getTime(), size: contentLength };
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

  async download(path: string, localFile: string): Promise<void> {
    await this.container.getBlobClient(path).downloadToFile(localFile);
  }

  /**
   * The bytes of a blob in one version from `start` on, as SubmittedFile has them. Where a connection breaks,
   * reading goes on over another. Throws when the blob is not there any more in that version.
   */
  bytes(path: string, version: string, start: number): AsyncIterable<Buffer> {
    return inPieces(this.parts(path, version, start));
  }

  private async *parts(path: string, version: string, start: number): AsyncIterable<Buffer> {
    let at = start;
    for (let broken = 0; broken <= MAX_BROKEN_IN_TURN; broken++) {
      const stream = await this.open(path, version, at);
      if (stream === undefined) return;
      try {
        for await (const part of stream) {
          yield part;
          at += part.length;
          broken = 0;
        }
        return;
      } catch (error) {
        if (broken === MAX_BROKEN_IN_TURN) throw error;
      }
    }
  }

  /** Undefined behind the last byte, where an earlier reading may have ended. */
  private async open(path: string, version: string, start: number): Promise<AsyncIterable<Buffer> | undefined> {
    // The client's own way to go on gives up when a connection breaks.
    const options = { ...onlyIf(version), maxRetryRequests: 0 };
    const found = await unless([416], this.container.getBlobClient(path).download(start, undefined, options));
    return found?.readableStreamBody as AsyncIterable<Buffer> | undefined; // A stream without an encoding.
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

async function* inPieces(parts: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const piece = Buffer.allocUnsafeSlow(FILE_PIECE_BYTES);
  let length = 0;
  for await (const part of parts) {
    for (let at = 0; at < part.length;) {
      const copied = part.copy(piece, length, at);
      [length, at] = [length + copied, at + copied];
      if (length < FILE_PIECE_BYTES) continue;
      yield piece;
      length = 0;
    }
  }
  if (length > 0) yield piece.subarray(0, length);
}
