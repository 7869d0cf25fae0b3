// Unpacks a submission that was sent as an archive or a workbook (D75, D76), so that the load can read its files like
// files in a folder.

import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isReadyFile } from '../format/entry-names';
import { submissionFiles } from '../format/submission-files';
import { METADATA_FILE } from '../format/submission-metadata';
import { readStart, type SubmittedFile, type SubmittedFiles } from '../format/submitted-files';
import { type Archive, extractEntry, openArchive } from './archive';
import { ByteBudget } from './byte-budget';
import { PackageProblem } from './package-problem';
import { isWorkbookArchive } from './workbook';
import { extractSheets } from './workbook-files';

/** Ten times the maximum body size of POST /v1/Submissions. */
export const MAX_UNPACKED_BYTES = 5_000_000_000;

interface UnpackOptions {
  /** Creates a folder that nothing else uses. Called only if there is something to unpack. */
  readonly createFolder: () => string;
  readonly maxBytes: number;
  /** Whether the submission must be an archive or a workbook. False by default. */
  readonly isPackage?: boolean;
}

/** The paths of files on disk, keyed by their paths in the submission. */
type LocalFiles = Map<string, string>;

/**
 * The files of the submission, unpacked if they are in an archive or a workbook. Rejects with a PackageProblem if a
 * package cannot be read.
 */
export async function unpackSubmission(files: SubmittedFiles, options: UnpackOptions): Promise<SubmittedFiles> {
  const packages = await findPackages(files);
  if (packages.length === 0) {
    if (options.isPackage !== true) return files;
    throw new PackageProblem('the body is neither a ZIP file nor a workbook (.xlsx)');
  }
  const unpacking = new Unpacking(files.name, options);
  for (const name of packages) await unpacking.addPackage(name, files);
  return unpacking.toFiles(files, packages);
}

class Unpacking {
  private readonly local: LocalFiles = new Map();
  private readonly notes: string[] = [];
  private readonly budget: ByteBudget;
  private readonly folder: string;
  private filesWritten = 0;

  constructor(
    private readonly submissionName: string,
    private readonly options: UnpackOptions,
  ) {
    this.budget = new ByteBudget(options.maxBytes);
    this.folder = options.createFolder();
  }

  async addPackage(name: string, files: SubmittedFiles): Promise<void> {
    const copy = this.createPath();
    const file = files.file(name);
    if (file !== undefined) await pipeline(file.bytes(0), createWriteStream(copy));
    const archive = await openArchive(copy, name);
    try {
      if (isWorkbookArchive(archive)) await this.addWorkbook(archive);
      else await this.addArchive(archive);
    } finally {
      archive.close();
    }
  }

  /**
   * If all files are in a common folder, as in an archive of a whole folder, they are read as if they were at the top.
   */
  private async addArchive(archive: Archive): Promise<void> {
    const prefix = findCommonFolder([...archive.entries.keys()]);
    const declared = [...archive.entries.values()].reduce((sum, entry) => sum + entry.uncompressedSize, 0);
    // If the archive itself declares a size over the limit, nothing is written.
    new ByteBudget(this.options.maxBytes).use(declared, archive.name);
    const unpacked: LocalFiles = new Map();
    for (const [path, entry] of archive.entries) {
      const target = this.createPath();
      await extractEntry(archive, entry, target, this.budget);
      unpacked.set(path.slice(prefix.length), target);
    }
    const inner = createFiles(this.submissionName, unpacked, []);
    const workbooks = await findPackages(inner);
    for (const name of workbooks) await this.addPackage(name, inner);
    for (const [path, target] of unpacked) if (!workbooks.includes(path)) this.add(path, target, archive.name);
  }

  private async addWorkbook(archive: Archive): Promise<void> {
    const extracted = await extractSheets(archive, { budget: this.budget, createPath: () => this.createPath() });
    for (const { name, path } of extracted.files) this.add(name, path, archive.name);
    this.notes.push(...extracted.notes);
  }

  private add(name: string, path: string, source: string): void {
    if (this.local.has(name)) throw new PackageProblem(`${source} has ${name} a second time; send it once`);
    this.local.set(name, path);
  }

  /** Keeps files that are next to the packages. */
  toFiles(files: SubmittedFiles, packages: readonly string[]): SubmittedFiles {
    const unpacked = createFiles(files.name, this.local, this.notes);
    const others = files.names().filter((name) => !packages.includes(name));
    return {
      ...unpacked,
      names: (folder) => {
        if (folder !== undefined) return [...new Set([...files.names(folder), ...unpacked.names(folder)])];
        return [...new Set([...others, ...unpacked.names()])];
      },
      file: (name) => (packages.includes(name) ? undefined : (unpacked.file(name) ?? files.file(name))),
    };
  }

  private createPath(): string {
    this.filesWritten++;
    return join(this.folder, String(this.filesWritten));
  }
}

const FILE_NAMES: ReadonlySet<string> = new Set(submissionFiles.map(({ name }) => name));

const WORKBOOK_NAME = /\.xls[xm]$/i;
const PACKAGE_NAME = /\.(?:zip|xls[xm])$/i;

/** Whether a file with this name may be an archive or a workbook that can be read. */
export function isPackage(name: string): boolean {
  return PACKAGE_NAME.test(name);
}

/**
 * The archive or the workbooks that contain the files. If files of the format are next to them, includes only workbooks
 * with the name of a missing file.
 */
async function findPackages(files: SubmittedFiles): Promise<readonly string[]> {
  const names = files.names().filter((name) => name !== METADATA_FILE && !isReadyFile(name));
  const hasFiles = names.some((name) => FILE_NAMES.has(name));
  const candidates = names.filter((name) =>
    hasFiles ? isWorkbookOfFile(name) && !names.includes(toFileName(name)) : PACKAGE_NAME.test(name),
  );
  const packages: string[] = [];
  for (const name of candidates) if (await isZip(files.file(name))) packages.push(name);
  const archives = packages.filter((name) => !WORKBOOK_NAME.test(name));
  if (archives.length > 1) {
    throw new PackageProblem(`there are several archives, ${archives.join(' and ')}; send one submission at a time`);
  }
  return packages;
}

function isWorkbookOfFile(name: string): boolean {
  return WORKBOOK_NAME.test(name) && FILE_NAMES.has(toFileName(name));
}

function toFileName(name: string): string {
  return name.toLowerCase().replace(WORKBOOK_NAME, '.csv');
}

const ZIP_SIGNATURE = Buffer.from('PK');
/** The first bytes of a workbook from before 2007, or of a workbook with a password. */
const COMPOUND_SIGNATURE = Buffer.from('d0cf11e0', 'hex');

async function isZip(file: SubmittedFile | undefined): Promise<boolean> {
  if (file === undefined) return false;
  const start = await readStart(file, COMPOUND_SIGNATURE.length);
  if (start.equals(COMPOUND_SIGNATURE)) {
    throw new PackageProblem(
      `${file.name} is encrypted, or is a workbook in an old format; save it as .xlsx without a password`,
    );
  }
  return start.length === COMPOUND_SIGNATURE.length && start.subarray(0, ZIP_SIGNATURE.length).equals(ZIP_SIGNATURE);
}

/** The path of the innermost folder that contains all files, with a trailing slash. */
function findCommonFolder(paths: readonly string[]): string {
  const [first = ''] = paths;
  const folders = first.split('/').slice(0, -1);
  while (folders.length > 0) {
    const prefix = `${folders.join('/')}/`;
    if (paths.every((path) => path.startsWith(prefix))) return prefix;
    folders.pop();
  }
  return '';
}

function createFiles(name: string, local: ReadonlyMap<string, string>, notes: readonly string[]): SubmittedFiles {
  const listNames = (prefix: string): readonly string[] => {
    const inside = [...local.keys()].filter((path) => path.startsWith(prefix));
    return [...new Set(inside.map((path) => path.slice(prefix.length).split('/', 1)[0] ?? ''))];
  };
  return {
    name,
    notes,
    names: (folder) => listNames(folder === undefined ? '' : `${folder}/`),
    file: (path) => {
      const target = local.get(path);
      if (target === undefined) return undefined;
      const bytes = (start: number): AsyncIterable<Buffer> => createReadStream(target, { start });
      return { name: path, size: statSync(target).size, bytes };
    },
  };
}
