// Describes the download files in a folder: name, size and digest.

import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { DOWNLOAD_NAMES, type DownloadFile } from '../../shared/store/download-files';
import { startDigest } from '../../shared/values/digest';

export async function describeFiles(folder: string, madeFor: string | undefined): Promise<readonly DownloadFile[]> {
  const files = await Promise.all(DOWNLOAD_NAMES.map((name) => describeFile(folder, name)));
  if (madeFor === undefined) return files;
  return files.map((file) => (file.name === 'things.jsonl.gz' ? { ...file, madeFor } : file));
}

async function describeFile(folder: string, name: DownloadFile['name']): Promise<DownloadFile> {
  const path = join(folder, name);
  const digest = startDigest();
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) digest.update(bytes);
  return { name, bytes: statSync(path).size, sha256: digest.digest('hex') };
}
