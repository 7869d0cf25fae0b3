// The storage of an inbox in a container of Azure Blob Storage. A container has no folders, only names with slashes,
// and cannot rename blobs. A submission is read in place, file by file as a stream.
//
// A move starts with a blob, the decision, which lists each file and its version. To carry out the decision,
// - a name that no settled submission has is reserved in accepted/, refused/ or held/, and added to the decision;
// - every file is copied there, and only then are the originals deleted, in the version that was copied.

import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text as textOfStream } from 'node:stream/consumers';
import type { ContainerClient } from '@azure/storage-blob' with { 'resolution-mode': 'import' };
import { type ContainerLocation, ignoreStatuses, openContainer } from '../../shared/store/blob-container';
import { makeFolder } from '../../shared/store/make-folder';
import { getOrAdd } from '../../shared/values/maps';
import { type Result, success } from '../../shared/values/result';
import type { SubmittedFile, SubmittedFiles } from '../format/submitted-files';
import {
  avoidReportNames,
  type Content,
  generateTargetNames,
  getReportPath,
  getWorkPath,
  type InboxEntry,
  type InboxStorage,
  type Marker,
  type MarkerText,
  SETTLED_FOLDERS,
  type SettledAs,
  type VersionedText,
  WAITING,
  WORKING,
} from './inbox-storage';
import { findMarkerPaths, listFolder } from './markers';
import { isSubmissionId, SENT_FOLDER } from './submission-origin';

interface BlobFile {
  /** The path relative to the listed prefix. */
  readonly path: string;
  /** Changes each time the blob is written. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** In bytes. */
  readonly size: number;
}

type FileVersion = Pick<BlobFile, 'path' | 'etag'>;

interface Decision {
  readonly id: string;
  readonly as: SettledAs;
  readonly files: readonly FileVersion[];
  /** Undefined until a name is reserved. */
  readonly target?: string;
}

/** The version of a blob that does not exist. */
const ABSENT = '';

const CLAIM = 'claim.json';
const DECISION = 'decision.json';

/** A blob that contains the decision's id. It must be the only blob below the name that it reserves. */
const RESERVATION = '.settling';

export async function openBlobStorage(location: ContainerLocation): Promise<InboxStorage> {
  return new BlobStorage((await openContainer(location)).client);
}

/**
 * The number of connections in a row that may break without delivering a byte. The client also retries each connection.
 */
const MAX_BROKEN_CONNECTIONS = 5;

class BlobStorage implements InboxStorage {
  constructor(private readonly container: ContainerClient) {}

  async *listMarkers(): AsyncIterable<Marker> {
    for (const [name, files] of groupByFolder(await this.list(`${WAITING}/`))) {
      if (name.startsWith('.')) continue;
      const markers = new Set(findMarkers(files));
      for (const { path, modifiedAt } of files) if (markers.has(path)) yield { name, modifiedAt };
    }
  }

  async listEntries(): Promise<readonly InboxEntry[]> {
    const entries: InboxEntry[] = [];
    const own: readonly string[] = [...SETTLED_FOLDERS, WORKING].map((folder) => `${folder}/`);
    for await (const item of this.container.listBlobsByHierarchy('/')) {
      if (item.name.startsWith('.') || own.includes(item.name)) continue;
      if (item.kind === 'blob') entries.push(describeBlob(item.name, item.properties.lastModified.getTime()));
      else if (item.name === `${WAITING}/`) entries.push(...describeFolders(await this.list(item.name), item.name));
      else entries.push(describeFolder(item.name.slice(0, -1), await this.list(item.name)));
    }
    return entries;
  }

  async readContent(name: string): Promise<Content | undefined> {
    const files = await this.list(`${WAITING}/${name}/`);
    if (findMarkers(files).length === 0) return undefined;
    return { text: formatContent(files), changedAt: Math.max(...files.map(({ modifiedAt }) => modifiedAt)) };
  }

  /** Files are read as streams, each in the version that the content specifies (ADR 0052). */
  async openSubmission(name: string, content: string): Promise<Result<SubmittedFiles>> {
    const prefix = `${WAITING}/${name}/`;
    const sizes = new Map((await this.list(prefix)).map(({ path, size }) => [path, size]));
    const versions = new Map(parseContent(content).map(({ path, etag }) => [path, etag]));
    return success({
      name,
      names: (folder) => listChildren([...versions.keys()], folder === undefined ? '' : `${folder}/`),
      file: (path) => {
        const etag = versions.get(path);
        if (etag === undefined) return undefined;
        const bytes = (start: number): AsyncIterable<Buffer> => this.bytes(prefix + path, etag, start);
        return { name: path, size: sizes.get(path) ?? 0, bytes };
      },
    });
  }

  async readText(path: string): Promise<string | undefined> {
    return (await this.read(path)).text;
  }

  async writeText(path: string, text: string): Promise<void> {
    await this.container.getBlockBlobClient(path).upload(text, Buffer.byteLength(text));
  }

  makeFolder(): void {
    // Does nothing, because a container has no folders.
  }

  async listNames(path: string): Promise<readonly string[]> {
    const files = await this.list(`${path}/`);
    return listChildren(
      files.map((file) => file.path),
      '',
    );
  }

  async openFile(path: string): Promise<SubmittedFile | undefined> {
    const properties = await ignoreStatuses([404], this.container.getBlobClient(path).getProperties());
    if (properties === undefined) return undefined;
    const { etag = '', contentLength = 0 } = properties;
    return { name: path, size: contentLength, bytes: (start) => this.bytes(path, etag, start) };
  }

  async deliver(localFolder: string, name: string, marker: string): Promise<void> {
    const files = readdirSync(localFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map((file) => relative(localFolder, join(file.parentPath, file.name)));
    for (const path of [...paths.filter((other) => other !== marker), marker]) {
      const blob = this.container.getBlockBlobClient(`${WAITING}/${name}/${path.replaceAll('\\', '/')}`);
      await blob.uploadFile(join(localFolder, path));
    }
  }

  async returnToWaiting(from: string, name: string, marker: MarkerText): Promise<void> {
    const files = (await this.list(`${from}/`)).filter(({ path }) => path !== marker.name);
    for (const { path } of files) await this.copy(`${from}/${path}`, `${WAITING}/${name}/${path}`);
    await this.writeText(`${WAITING}/${name}/${marker.name}`, marker.text);
    await this.remove(from);
  }

  async removeUnfinishedDeliveries(before: number): Promise<void> {
    for (const [name, files] of groupByFolder(await this.list(`${WAITING}/`))) {
      const isOld = files.every(({ modifiedAt }) => modifiedAt < before);
      const isDelivery = files.every(({ path }) => path.startsWith(`${SENT_FOLDER}/`));
      if (isSubmissionId(name) && isDelivery && isOld) await this.remove(`${WAITING}/${name}`);
    }
  }

  async remove(path: string): Promise<void> {
    await this.delete(path);
    for (const file of await this.list(`${path}/`)) await this.delete(`${path}/${file.path}`);
  }

  /** Copies files but not subfolders, because a report has none. */
  async copyIn(localFolder: string, path: string): Promise<void> {
    for (const name of readdirSync(localFolder)) {
      await this.container.getBlockBlobClient(`${path}/${name}`).uploadFile(join(localFolder, name));
    }
  }

  async copyOut(path: string, localFolder: string): Promise<string> {
    const folder = join(localFolder, 'kept');
    makeFolder(folder);
    for (const file of await this.list(`${path}/`)) {
      await this.container.getBlobClient(`${path}/${file.path}`).downloadToFile(join(folder, file.path));
    }
    return folder;
  }

  /**
   * A claim is a blob that is overwritten only if it still has the version that was read. The storage's own leases last
   * at most a minute, and a loader that is busy sorting may renew one too late.
   */
  readClaim(name: string): Promise<VersionedText> {
    return this.read(getWorkPath(name, CLAIM));
  }

  async writeClaim(name: string, text: string | undefined, version: string): Promise<string | undefined> {
    if (text !== undefined) return this.writeOver(getWorkPath(name, CLAIM), text, version);
    return (await this.delete(getWorkPath(name, CLAIM), version)) ? ABSENT : undefined;
  }

  async decideMove(name: string, content: string, as: SettledAs): Promise<void> {
    await this.writeDecision(name, { id: randomUUID(), as, files: parseContent(content) });
  }

  async listDecidedMoves(): Promise<readonly string[]> {
    const paths = (await this.list(`${WORKING}/`)).map(({ path }) => path.split('/'));
    return paths.flatMap(([name = '', file, ...deeper]) => (file === DECISION && deeper.length === 0 ? [name] : []));
  }

  async carryOutMove(name: string): Promise<string | undefined> {
    const decision = getWorkPath(name, DECISION);
    const text = await this.readText(decision);
    if (text === undefined) return undefined;
    // The decision that `writeDecision` wrote.
    const { as, files, target } = await this.reserveTarget(name, JSON.parse(text) as Decision);
    const to = `${as}/${target}/`;
    await this.copyAll(name, files, to);
    for (const { path, etag } of files) await this.delete(`${WAITING}/${name}/${path}`, etag);
    await this.delete(`${to}${RESERVATION}`);
    return decision;
  }

  /** Adds a reserved name to the decision. Drops the files of a submission that has changed in the meantime. */
  private async reserveTarget(name: string, decision: Decision): Promise<Decision> {
    if (decision.target !== undefined) return decision;
    const isSame = (await this.readContent(name))?.text === formatContent(decision.files);
    const settled = { ...decision, files: isSame ? decision.files : [], target: await this.reserve(name, decision) };
    await this.writeDecision(name, settled);
    return settled;
  }

  /** A file that no longer exists in this version was already copied before the process was killed. */
  private async copyAll(name: string, files: readonly FileVersion[], to: string): Promise<void> {
    const reports = await this.list(`${getReportPath(name)}/`);
    const submitted = new Set(files.map(({ path }) => path.split('/', 1)[0] ?? ''));
    const reported = new Set(reports.map(({ path }) => path));
    for (const { path, etag } of files) {
      await this.copy(`${WAITING}/${name}/${path}`, `${to}${avoidReportNames(path, submitted, reported)}`, etag);
    }
    for (const { path } of reports) await this.copy(`${getReportPath(name)}/${path}`, `${to}${path}`);
  }

  private async reserve(name: string, { id, as }: Decision): Promise<string> {
    for (const target of generateTargetNames(name)) {
      const folder = `${as}/${target}/`;
      const reservation = `${folder}${RESERVATION}`;
      const isTaken = (await this.writeOver(reservation, id, ABSENT)) === undefined;
      if (isTaken && (await this.readText(reservation)) !== id) continue;
      const others = (await this.list(folder)).filter(({ path }) => path !== RESERVATION);
      if (others.length === 0) return target;
      await this.delete(reservation);
    }
    throw new Error('there is always a free name');
  }

  private writeDecision(name: string, decision: Decision): Promise<void> {
    return this.writeText(getWorkPath(name, DECISION), JSON.stringify(decision));
  }

  /** `prefix` ends with a slash. */
  private async *listBelow(prefix: string): AsyncIterable<BlobFile> {
    for await (const blob of this.container.listBlobsFlat({ prefix, includeMetadata: true })) {
      const path = blob.name.slice(prefix.length);
      // Storage accounts with a hierarchical namespace, and programs that show folders, create an empty blob for each
      // folder.
      if (path === '' || path.endsWith('/') || blob.metadata?.['hdi_isfolder'] === 'true') continue;
      const { etag, lastModified, contentLength = 0 } = blob.properties;
      yield { path, etag, modifiedAt: lastModified.getTime(), size: contentLength };
    }
  }

  private async list(prefix: string): Promise<readonly BlobFile[]> {
    const files: BlobFile[] = [];
    for await (const file of this.listBelow(prefix)) files.push(file);
    return files;
  }

  private async read(path: string): Promise<VersionedText> {
    const download = await ignoreStatuses([404], this.container.getBlobClient(path).download());
    if (download?.readableStreamBody === undefined) return { text: undefined, version: ABSENT, writtenAt: 0 };
    const { readableStreamBody, etag = ABSENT, lastModified } = download;
    return { text: await textOfStream(readableStreamBody), version: etag, writtenAt: lastModified?.getTime() ?? 0 };
  }

  /** Returns the new version, or undefined if the current version is not `version`. */
  private async writeOver(path: string, text: string, version: string): Promise<string | undefined> {
    const conditions = version === ABSENT ? { ifNoneMatch: '*' } : { ifMatch: version };
    const blob = this.container.getBlockBlobClient(path);
    return (await ignoreStatuses([404, 409, 412], blob.upload(text, Buffer.byteLength(text), { conditions })))?.etag;
  }

  /** Returns false if there is no such blob in that version. */
  private async delete(path: string, version?: string): Promise<boolean> {
    const deleting = this.container.getBlobClient(path).delete(ifVersion(version));
    return (await ignoreStatuses([404, 412], deleting)) !== undefined;
  }

  /**
   * The bytes of one version of a blob from `start` on, as for SubmittedFile. If a connection breaks, reading continues
   * over a new one. Throws if the blob no longer has that version.
   */
  private async *bytes(path: string, version: string, start: number): AsyncIterable<Buffer> {
    let offset = start;
    for (let broken = 0; broken <= MAX_BROKEN_CONNECTIONS; broken++) {
      const stream = await this.open(path, version, offset);
      if (stream === undefined) return;
      try {
        for await (const part of stream) {
          yield part;
          offset += part.length;
          broken = 0;
        }
        return;
      } catch (error) {
        if (broken === MAX_BROKEN_CONNECTIONS) throw error;
      }
    }
  }

  /** Undefined if there are no more bytes, because an earlier connection may have reached the end. */
  private async open(path: string, version: string, start: number): Promise<AsyncIterable<Buffer> | undefined> {
    // Resumes here, because the client's own resumption gives up if a connection breaks.
    const options = { ...ifVersion(version), maxRetryRequests: 0 };
    const download = await ignoreStatuses(
      [416],
      this.container.getBlobClient(path).download(start, undefined, options),
    );
    // The type of a stream without an encoding.
    return download?.readableStreamBody as AsyncIterable<Buffer> | undefined;
  }

  /** Copies within the storage. Does nothing if there is no such blob in that version. */
  private async copy(from: string, to: string, version?: string): Promise<void> {
    const conditions = version === undefined ? {} : { sourceConditions: { ifMatch: version } };
    const { url } = this.container.getBlobClient(from);
    const copying = this.container.getBlobClient(to).beginCopyFromURL(url, { ...conditions, intervalInMs: 100 });
    const copied = await ignoreStatuses(
      [404, 412],
      copying.then((poller) => poller.pollUntilDone()),
    );
    if (copied === undefined || copied.copyStatus === 'success') return;
    throw new Error(`copying ${from} ended as ${copied.copyStatus ?? 'unknown'}`);
  }
}

/** The paths of the markers among the files of a submission. */
function findMarkers(files: readonly Pick<BlobFile, 'path'>[]): readonly string[] {
  const paths = files.map(({ path }) => path);
  return findMarkerPaths(listFolder(paths), (inner) => listFolder(paths, `${inner}/`));
}

/** Groups files by folder. Their paths are relative to the folder. */
function groupByFolder(files: readonly BlobFile[]): ReadonlyMap<string, readonly BlobFile[]> {
  const folders = new Map<string, BlobFile[]>();
  for (const file of files) {
    const slash = file.path.indexOf('/');
    if (slash === -1) continue;
    getOrAdd(folders, file.path.slice(0, slash), () => []).push({ ...file, path: file.path.slice(slash + 1) });
  }
  return folders;
}

/** Describes folders by the files in them. */
function describeFolders(files: readonly BlobFile[], prefix: string): readonly InboxEntry[] {
  const loose = files.filter(({ path }) => !path.includes('/') && !path.startsWith('.'));
  const folders = [...groupByFolder(files)].filter(([name]) => !name.startsWith('.'));
  return [
    ...loose.map(({ path, modifiedAt }) => describeBlob(prefix + path, modifiedAt)),
    ...folders.map(([name, content]) => describeFolder(prefix + name, content)),
  ];
}

function describeBlob(path: string, modifiedAt: number): InboxEntry {
  return { path, kind: 'file', files: [], writtenAt: modifiedAt, changedAt: modifiedAt };
}

function describeFolder(path: string, files: readonly BlobFile[]): InboxEntry {
  const at = files.reduce((latest, { modifiedAt }) => Math.max(latest, modifiedAt), 0);
  return { path, kind: 'folder', files: files.map((file) => file.path), writtenAt: at, changedAt: at };
}

/** The names directly below a prefix of paths. */
function listChildren(paths: readonly string[], prefix: string): readonly string[] {
  const below = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  return [...new Set(below.map((path) => path.split('/', 1)[0] ?? ''))];
}

function formatContent(files: readonly FileVersion[]): string {
  return JSON.stringify(files.map(({ path, etag }) => [path, etag]));
}

/** The files that the result of `readContent` lists. */
function parseContent(content: string): readonly FileVersion[] {
  const files = JSON.parse(content) as readonly (readonly [string, string])[]; // The JSON that formatContent wrote.
  return files.map(([path, etag]) => ({ path, etag }));
}

function ifVersion(version: string | undefined): { conditions?: { ifMatch: string } } {
  return version === undefined ? {} : { conditions: { ifMatch: version } };
}
