// Reads ZIP archives, including workbooks. Malicious archives are refused before anything is written (D76): yauzl
// checks names and sizes, and this file checks everything else. Names in an archive are never used as names on disk.

import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, validateFileName, type ZipFile } from 'yauzl';
import { isArchive, isJunk } from '../format/entry-names';
import { formatNumber } from '../format/report-numbers';
import type { ByteBudget } from './byte-budget';
import { explainFailure, PackageProblem } from './package-problem';

/** A limit that real submissions do not reach: a submission has about ten files, and a workbook about thirty parts. */
const MAX_ENTRIES = 1000;

/** Deflate, and no compression. */
const COMPRESSION_METHODS: readonly number[] = [0, 8];

export interface Archive {
  /** The file's name, for messages. */
  readonly name: string;
  /** Files in the archive, keyed by path, without files that operating systems add (such as .DS_Store). */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly open: (entry: Entry) => Promise<Readable>;
  readonly close: () => void;
}

/** `path` is a local file. Rejects with a PackageProblem if the archive cannot be read. */
export function openArchive(path: string, name: string): Promise<Archive> {
  return explainFailure(name, async () => {
    const file = await openPromise(path, { lazyEntries: true, autoClose: false });
    try {
      const entries = await readEntries(file, name);
      return {
        name,
        entries,
        open: (entry) => explainFailure(name, () => file.openReadStreamPromise(entry)),
        close: () => {
          file.close();
        },
      };
    } catch (error) {
      file.close();
      throw error;
    }
  });
}

/**
 * Writes one entry to a local file. The budget counts actual bytes, because an archive may declare fewer bytes than it
 * contains.
 */
export function extractEntry(archive: Archive, entry: Entry, target: string, budget: ByteBudget): Promise<void> {
  return explainFailure(archive.name, async () => {
    await pipeline(countBytes(await archive.open(entry), budget, archive.name), createWriteStream(target));
  });
}

async function* countBytes(stream: Readable, budget: ByteBudget, name: string): AsyncIterable<Buffer> {
  for await (const piece of stream as AsyncIterable<Buffer>) {
    budget.use(piece.length, name);
    yield piece;
  }
}

async function readEntries(file: ZipFile, name: string): Promise<ReadonlyMap<string, Entry>> {
  if (file.entryCount > MAX_ENTRIES) throw tooManyEntries(name, file.entryCount);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of file.eachEntry()) {
      // The directory may contain more entries than it declares.
      if (file.entriesRead > MAX_ENTRIES) throw tooManyEntries(name, file.entriesRead);
      checkEntry(entry, name);
      const path = entry.fileName;
      if (path.endsWith('/') || path.split('/').some(isJunk)) continue;
      if (isArchive(path)) {
        throw new PackageProblem(
          `${name} has another archive in it, ${shorten(path)}; send the files themselves in one archive`,
        );
      }
      if (entries.has(path)) throw new PackageProblem(`${name} has two files ${shorten(path)}; keep one of them`);
      entries.set(path, entry);
    }
  } catch (error) {
    throw explainEntryError(error, name);
  }
  return entries;
}

function tooManyEntries(name: string, count: number): PackageProblem {
  const limit = formatNumber(MAX_ENTRIES);
  return new PackageProblem(
    `${name} has ${formatNumber(count)} entries, and an archive may have ${limit}; send only the files of the submission`,
  );
}

/** The bits of a Unix file mode that specify an entry's type, if the archive was made on such a system. */
const TYPE_BITS = 0o170000;
const FILE_TYPE = 0o100000;
const FOLDER_TYPE = 0o040000;
const LINK_TYPE = 0o120000;

function checkEntry(entry: Entry, name: string): void {
  const path = shorten(entry.fileName);
  if (entry.isEncrypted()) throw encrypted(name);
  const nameProblem = validateFileName(entry.fileName);
  if (nameProblem !== null) throw new PackageProblem(explainName(nameProblem, name));
  const type = (entry.externalFileAttributes >>> 16) & TYPE_BITS;
  if (type === LINK_TYPE) {
    throw new PackageProblem(`${name} has a link in it, ${path}; put the file itself into the archive`);
  }
  if (type !== 0 && type !== FILE_TYPE && type !== FOLDER_TYPE) {
    throw new PackageProblem(`${name} contains an entry that is neither a file nor a folder, ${path}; remove it`);
  }
  if (!COMPRESSION_METHODS.includes(entry.compressionMethod)) {
    throw new PackageProblem(
      `${name} uses a compression method that is not supported (method ${entry.compressionMethod}); make an ordinary ZIP file`,
    );
  }
}

function encrypted(name: string): PackageProblem {
  return new PackageProblem(`${name} is encrypted; send it without a password`);
}

/** Converts yauzl's errors about a name or about the archive to a PackageProblem. */
function explainEntryError(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || error instanceof PackageProblem) return error;
  if (error.message.includes('encryption')) return encrypted(name);
  const isNameProblem = /^(absolute path|invalid relative path|invalid characters in fileName)/.test(error.message);
  return isNameProblem ? new PackageProblem(explainName(error.message, name)) : error;
}

function explainName(problem: string, name: string): string {
  const path = shorten(problem.replace(/^[^:]*: */, ''));
  if (problem.startsWith('absolute')) {
    return `${name} has a file with an absolute path, ${path}; put the files into the archive without one`;
  }
  if (problem.startsWith('invalid relative')) {
    return `${name} has a file whose path leads out of the archive with .., ${path}; put the files into the archive without it`;
  }
  return `${name} has a file whose name has characters that file names cannot have, ${path}; give it another name`;
}

const MAX_SHOWN = 100;

function shorten(path: string): string {
  return path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path;
}
