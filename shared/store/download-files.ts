// The port for the files of releases, which clients download as a whole (D44), and the manifest that both adapters
// write. Files are derived from their release, so lost files can be rebuilt.

import type { Readable } from 'node:stream';
import { MEDIA_TYPES } from '../values/media-types';

/** In the order of the list of downloads. */
export const DOWNLOAD_NAMES = ['records.parquet', 'places.parquet', 'records.csv.gz', 'things.jsonl.gz'] as const;

export type DownloadName = (typeof DOWNLOAD_NAMES)[number];

/** Increase this when the content of a file changes. Files of another version are rebuilt. */
const CONTENT_VERSION = 5;

export const DOWNLOAD_MEDIA_TYPES: Readonly<Record<DownloadName, string>> = {
  'records.parquet': MEDIA_TYPES.parquet,
  'places.parquet': MEDIA_TYPES.parquet,
  'records.csv.gz': MEDIA_TYPES['csv.gz'],
  'things.jsonl.gz': MEDIA_TYPES['csv.gz'],
};

/** Files never change (D45, D53), except the things file, which contains addresses from the settings (D58). */
export function getDownloadCacheControl(name: DownloadName): string {
  return name === 'things.jsonl.gz' ? 'public, no-cache' : 'private, immutable, max-age=31536000';
}

export interface DownloadFile {
  readonly name: DownloadName;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** A digest of the settings that the file depends on; missing if it depends on no settings. */
  readonly madeFor?: string;
}

/** How a client gets the bytes of a file. `read` includes `start` and `end`. */
export type DownloadSource =
  | { readonly kind: 'bytes'; readonly read: (start: number, end: number) => Readable }
  /** The client downloads from an address that is valid for a few minutes. */
  | { readonly kind: 'address'; readonly url: string };

/** Writes the files of a release into a folder. */
export type WriteFiles = (folder: string) => Promise<readonly DownloadFile[]>;

/** Stores files of releases. The files of a release appear together, when all are complete, and disappear together. */
export interface DownloadFiles {
  /** Returns the origin from which clients download; undefined if the service sends the bytes itself. */
  origin(): Promise<string | undefined>;
  /** Returns undefined until the files are written. */
  find(releaseId: string): Promise<readonly DownloadFile[] | undefined>;
  /** Like `find`, for current releases. May answer from a cache. */
  findCurrent(releaseId: string): Promise<readonly DownloadFile[] | undefined>;
  /** Opens a file that `find` has just returned. A client that follows an address saves it as `savedName`. */
  open(releaseId: string, name: DownloadName, savedName?: string): Promise<DownloadSource>;
  /**
   * Creates the files of a release. Files left behind by a failed or killed `write` are removed. If two processes
   * create the same files at the same time, one result is kept.
   */
  make(releaseId: string, write: WriteFiles): Promise<void>;
  /** Copies the files of a release into a folder. */
  fetch(releaseId: string, folder: string): Promise<void>;
  /** Lists the releases that have any files. */
  list(): Promise<readonly string[]>;
  remove(releaseId: string): Promise<void>;
  /** Removes the remains of dead processes. */
  removeUnfinished(): Promise<void>;
}

/** The name of the manifest, which lists the other files. If it exists, all of them are complete. */
export const MANIFEST = 'files.json';

interface Manifest {
  readonly version: number;
  readonly files: readonly DownloadFile[];
}

export function writeManifest(files: readonly DownloadFile[]): string {
  const manifest: Manifest = { version: CONTENT_VERSION, files };
  return JSON.stringify(manifest);
}

/** Returns undefined if another version of the program wrote the files. */
export function readManifest(text: string): readonly DownloadFile[] | undefined {
  const { version, files } = JSON.parse(text) as Manifest; // Written by `writeManifest`.
  return version === CONTENT_VERSION ? files : undefined;
}
