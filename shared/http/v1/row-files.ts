// Sends the rejected rows or the warnings of a submission as one file: CSV if there is only one file, otherwise a ZIP
// archive of CSV files.

import { Readable } from 'node:stream';
import { Zip, ZipDeflate } from 'fflate';
import type { Outcome } from '../pipeline/outcome';
import type { StoredFile } from '../pipeline/submission-ports';

/** `name` is the file name without its extension. */
export function sendRowFiles(files: readonly StoredFile[], name: string): Outcome {
  const [only, ...others] = files;
  const headers = { 'Cache-Control': 'no-store' };
  if (only !== undefined && others.length === 0) {
    return {
      kind: 'file',
      status: 200,
      bytes: only.bytes,
      contentType: 'text/csv; charset=utf-8',
      headers: { ...headers, 'Content-Disposition': `attachment; filename="${only.name}"` },
      read: only.read,
    };
  }
  return {
    kind: 'file',
    status: 200,
    bytes: undefined,
    contentType: 'application/zip',
    headers: { ...headers, 'Content-Disposition': `attachment; filename="${name}.zip"` },
    read: () => Readable.from(zipFiles(files)),
  };
}

async function* zipFiles(files: readonly StoredFile[]): AsyncIterable<Uint8Array> {
  let chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    chunks.push(chunk);
  });
  for (const { name, read } of files) {
    const entry = new ZipDeflate(name);
    zip.add(entry);
    for await (const piece of read() as AsyncIterable<Buffer>) {
      entry.push(piece);
      yield* chunks;
      chunks = [];
    }
    entry.push(new Uint8Array(), true);
  }
  zip.end();
  yield* chunks;
}
