// The files below a path of a container, which knows no folders: only names with slashes.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isStatus } from './blob-errors';
import type { ContainerClient } from './open-container';

export interface BlobFile {
  /** Below the path that was asked for. */
  readonly path: string;
  /** Another one each time the blob is written. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly bytes: number;
}

/** `prefix` ends with a slash. */
export async function* filesBelow(container: ContainerClient, prefix: string): AsyncIterable<BlobFile> {
  for await (const { name, properties, metadata } of container.listBlobsFlat({ prefix, includeMetadata: true })) {
    const path = name.slice(prefix.length);
    if (isFolder(path, metadata)) continue;
    const { etag, lastModified, contentLength = 0 } = properties;
    yield { path, etag, modifiedAt: lastModified.getTime(), bytes: contentLength };
  }
}

export async function listFiles(container: ContainerClient, prefix: string): Promise<readonly BlobFile[]> {
  const files: BlobFile[] = [];
  for await (const file of filesBelow(container, prefix)) files.push(file);
  return files;
}

/** Within one account, by the storage itself; false when the source is not there any more, or another. */
export async function copyFile(
  container: ContainerClient,
  from: string,
  to: string,
  etag: string | undefined,
): Promise<boolean> {
  try {
    const conditions = etag === undefined ? {} : { sourceConditions: { ifMatch: etag } };
    const copying = await container
      .getBlobClient(to)
      .beginCopyFromURL(container.getBlobClient(from).url, { ...conditions, intervalInMs: 100 });
    const { copyStatus } = await copying.pollUntilDone();
    if (copyStatus !== 'success') throw new Error(`copying ${from} ended as ${copyStatus ?? 'unknown'}`);
    return true;
  } catch (error) {
    if (isStatus(error, 404, 412)) return false;
    throw error;
  }
}

/** Nothing happens to one that is not there any more, or another. */
export async function deleteFile(container: ContainerClient, path: string, etag?: string): Promise<void> {
  try {
    await container.getBlobClient(path).delete(etag === undefined ? {} : { conditions: { ifMatch: etag } });
  } catch (error) {
    if (!isStatus(error, 404, 412)) throw error;
  }
}

/** The files of a local folder, without those in folders below it; `prefix` ends with a slash. */
export async function uploadFolder(container: ContainerClient, folder: string, prefix: string): Promise<void> {
  for (const entry of readdirSync(folder)) {
    await container.getBlockBlobClient(`${prefix}${entry}`).uploadFile(join(folder, entry));
  }
}

/** Undefined when there is no such file. */
export async function readText(container: ContainerClient, path: string): Promise<string | undefined> {
  try {
    return (await container.getBlockBlobClient(path).downloadToBuffer()).toString();
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

export async function writeText(container: ContainerClient, path: string, text: string): Promise<void> {
  await container.getBlockBlobClient(path).upload(text, Buffer.byteLength(text));
}

/** Storage with a hierarchy, and programs that show folders, keep an empty blob for each. */
function isFolder(path: string, metadata: Readonly<Record<string, string>> | undefined): boolean {
  return path === '' || path.endsWith('/') || metadata?.['hdi_isfolder'] === 'true';
}
