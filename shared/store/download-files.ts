// The port for the files of releases, which clients download whole (D44), and the manifest that both adapters write.
// Files are made from their release, so lost ones can be made again.

import type { Readable } from 'node:stream';
import { MEDIA_TYPES } from '../values/media-types';

/** In the order in which they are listed. */
export const DOWNLOAD_NAMES = ['records.parquet', 'places.parquet', 'records.csv.gz', 'things.jsonl.gz'] as const;

export type DownloadName = (typeof DOWNLOAD_NAMES)[number];

/** Raise it when a file holds anything else: files of another number are made anew. */
const CONTENT_VERSION = 5;

export const DOWNLOAD_MEDIA_TYPES: Readonly<Record<DownloadName, string>> = {
  'records.parquet': MEDIA_TYPES.parquet,
  'places.parquet': MEDIA_TYPES.parquet,
  'records.csv.gz': MEDIA_TYPES['csv.gz'],
  'things.jsonl.gz': MEDIA_TYPES['csv.gz'],
};

/** A year: a file never changes (D45, D53), but for the things, in which addresses stand that settings give (D58). */
export function getDownloadCacheControl(name: DownloadName): string {
  return name === 'things.jsonl.gz' ? 'public, no-cache' : 'private, immutable, max-age=31536000';
}

export interface DownloadFile {
  readonly name: DownloadName;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Stands for the settings that the file follows from beside its release; a file that follows from none lacks it. */
  readonly madeFor?: string;
}

/** How a client gets the bytes of a file. */
export type DownloadSource =
  /** From `start` up to and with `end`. */
  | { readonly kind: 'bytes'; readonly read: (start: number, end: number) => Readable }
  /** By itself, at an address that is good for some minutes. */
  | { readonly kind: 'address'; readonly url: string };

/** Puts the files of a release into a folder. */
export type WriteFiles = (folder: string) => Promise<readonly DownloadFile[]>;

/** A place of files. Those of a release appear together, when all of them are there, and go together. */
export interface DownloadFiles {
  /** The host that clients are sent to for the bytes; undefined when the service sends them itself. */
  origin(): Promise<string | undefined>;
  /** Undefined until they are made. */
  find(releaseId: string): Promise<readonly DownloadFile[] | undefined>;
  /** As `find`, for releases that are current: what was found once may be answered from memory. */
  findCurrent(releaseId: string): Promise<readonly DownloadFile[] | undefined>;
  /** For a file that `find` has just found. */
  open(releaseId: string, name: DownloadName): Promise<DownloadSource>;
  /**
   * What `write` leaves when it fails or is killed is removed. Of two processes that make the same files at once, one
   * does it for both.
   */
  make(releaseId: string, write: WriteFiles): Promise<void>;
  /** Copies the files of a release into a folder. */
  fetch(releaseId: string, folder: string): Promise<void>;
  /** The releases of which there is anything. */
  list(): Promise<readonly string[]>;
  remove(releaseId: string): Promise<void>;
  /** Removes what dead processes left behind. */
  removeUnfinished(): Promise<void>;
}

/** The file beside the others that says what they are. Where it stands, they are whole. */
export const MANIFEST = 'files.json';

interface Manifest {
  readonly version: number;
  readonly files: readonly DownloadFile[];
}

export function writeManifest(files: readonly DownloadFile[]): string {
  const manifest: Manifest = { version: CONTENT_VERSION, files };
  return JSON.stringify(manifest);
}

/** Undefined when another version of the program made the files. */
export function readManifest(text: string): readonly DownloadFile[] | undefined {
  const { version, files } = JSON.parse(text) as Manifest; // Written by `writeManifest`.
  return version === CONTENT_VERSION ? files : undefined;
}
