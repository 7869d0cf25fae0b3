// GET /v1/Downloads and its files (D44, D45): the list of files of each current release, and the files themselves,
// either whole or in the ranges that a client requests.

import type { Readable } from 'node:stream';
import { buildDownloadFileName } from '../../files/download-file-name';
import { downloads } from '../../query/operations';
import { type Download, downloadsMembers } from '../../records/inventory';
import { createObjectWriter } from '../../records/object-definition';
import type { CatalogEntry } from '../../store/catalog-types';
import {
  DOWNLOAD_MEDIA_TYPES,
  DOWNLOAD_NAMES,
  type DownloadFile,
  type DownloadFiles,
  type DownloadName,
  getDownloadCacheControl,
} from '../../store/download-files';
import { DIGEST_NAME } from '../../values/digest';
import { MEDIA_TYPES } from '../../values/media-types';
import { readInteger } from '../../values/numbers';
import { getPageAccess, getParameterItems } from '../pipeline/authorize';
import { matchesTag } from '../pipeline/conditional-requests';
import { documentRoute } from '../pipeline/document-route';
import { FILE_PENDING, type Outcome, refuse, RELEASE_GONE, unsatisfiableRange } from '../pipeline/outcome';
import { readParameters } from '../pipeline/read-parameters';
import type { Route } from '../pipeline/route';
import type { HttpRequest, Service } from '../pipeline/service';

const write = createObjectWriter(downloadsMembers);

export const downloadsRoute = documentRoute({
  access: 'key',
  acceptsPost: true,
  vary: 'Accept-Encoding',
  read: (_, items, service) => readParameters(downloads, items, service),
  write: async (_, { entries }, service) => {
    const found = await Promise.all(entries.map((entry) => describeDownload(entry, service.downloads)));
    const body = write({ TotalDownloadsCount: found.length, Downloads: found });
    return { body, contentType: MEDIA_TYPES.json, count: entries.length, entries };
  },
});

async function describeDownload(
  { organizationUuid, dataSet, releaseId, records }: CatalogEntry,
  downloadFiles: DownloadFiles,
): Promise<Download> {
  const files = await downloadFiles.findCurrent(releaseId);
  const Files = (files ?? []).map(({ name, bytes, sha256 }) => ({
    Name: name,
    MediaType: DOWNLOAD_MEDIA_TYPES[name],
    Bytes: bytes,
    SHA256: sha256,
    Path: `/${downloads.route}/${releaseId}/${name}`,
  }));
  const pending = files === undefined;
  return {
    OrganizationUUID: organizationUuid,
    DataSet: dataSet,
    Release: releaseId,
    Records: records,
    Files,
    Pending: pending,
  };
}

interface RequestedFile {
  readonly releaseId: string;
  readonly name: DownloadName;
}

/**
 * A path that cannot belong to a file is answered with 404 before the key is checked (D31). Preflight requests are
 * still allowed there.
 */
export function findDownloadRoute({ url, method }: HttpRequest, service: Service): Route | undefined {
  const requestedFile = parseRequestedFile(url);
  if (requestedFile === undefined && method !== 'OPTIONS') return undefined;
  // The file with a release's features needs a key only if the pages of these features do (D57).
  const access = requestedFile?.name === 'things.jsonl.gz' ? getPageAccess(service, 'key') : 'key';
  return { access, answer: (request, service) => answerFile(requestedFile, request, service) };
}

/** Undefined if the path does not have the form of a release and a file. Letter case is ignored, as in all routes. */
function parseRequestedFile(url: string): RequestedFile | undefined {
  const path = new URL(url).pathname.toLowerCase();
  const [releaseId = '', file, ...others] = path.split('/').slice(downloads.route.split('/').length + 1);
  const name = DOWNLOAD_NAMES.find((known) => known === file);
  return name === undefined || others.some((segment) => segment !== '') || !DIGEST_NAME.test(releaseId)
    ? undefined
    : { releaseId, name };
}

async function answerFile(
  requestedFile: RequestedFile | undefined,
  request: HttpRequest,
  service: Service,
): Promise<Outcome> {
  if (requestedFile === undefined) throw new Error('preflights are answered earlier');
  const read = readParameters(downloads, getParameterItems(request), service);
  if (read.kind === 'problem') return read;
  const { downloads: files, store } = service;
  const { headers: sent } = request;
  const { releaseId, name } = requestedFile;
  const file = (await files.find(releaseId))?.find((one) => one.name === name);
  if (file === undefined)
    return refuse((await store.openRelease(releaseId)) === undefined ? RELEASE_GONE : FILE_PENDING);
  const tag = `"${file.sha256}"`;
  const headers = { ETag: tag, 'Cache-Control': getDownloadCacheControl(name) };
  if (matchesTag(sent.get('if-none-match') ?? '', tag)) return { kind: 'no body', status: 304, headers };
  const facts = (await store.openRelease(releaseId))?.facts;
  const savedName = facts === undefined ? name : buildDownloadFileName(name, releaseId, facts);
  const source = await files.open(releaseId, name, savedName);
  if (source.kind === 'address') {
    // A script of our pages cannot follow a redirect to another host while it sends the key in a header.
    if (sent.has('x-requested-with')) {
      return { kind: 'no body', status: 204, headers: { 'Cache-Control': 'no-store', 'Content-Location': source.url } };
    }
    return { kind: 'no body', status: 302, headers: { 'Cache-Control': 'no-store', Location: source.url } };
  }
  return sendFile({ ...file, savedName }, source.read, sent);
}

/** Sends the whole file, or the requested range. */
function sendFile(
  { name, bytes, sha256, savedName }: DownloadFile & { readonly savedName: string },
  read: (start: number, end: number) => Readable,
  sent: HttpRequest['headers'],
): Outcome {
  const tag = `"${sha256}"`;
  const range = readRange(sent, tag, bytes);
  if (range === 'unsatisfiable') return refuse(unsatisfiableRange(bytes));
  const [start, end] = range ?? [0, bytes - 1];
  const digest = `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
  return {
    kind: 'file',
    status: range === undefined ? 200 : 206,
    bytes: end - start + 1,
    read: () => read(start, end),
    contentType: DOWNLOAD_MEDIA_TYPES[name],
    headers: {
      ETag: tag,
      'Cache-Control': getDownloadCacheControl(name),
      'Accept-Ranges': 'bytes',
      // The answer with a range also has the digest of the whole file (RFC 9530).
      'Repr-Digest': digest,
      ...(range === undefined && sent.has('want-content-digest') ? { 'Content-Digest': digest } : {}),
      'Content-Disposition': `attachment; filename="${savedName}"`,
      ...(range === undefined ? {} : { 'Content-Range': `bytes ${start}-${end}/${bytes}` }),
    },
  };
}

/**
 * Returns the first and the last byte. Undefined if the whole file is sent, as for a request with several ranges or
 * with a different tag.
 */
function readRange(
  sent: HttpRequest['headers'],
  tag: string,
  bytes: number,
): readonly [start: number, end: number] | 'unsatisfiable' | undefined {
  const found = /^bytes=(\d*)-(\d*)$/i.exec(sent.get('range')?.trim() ?? '');
  const [, from = '', to = ''] = found ?? [];
  const isAsked = found !== null && `${from}${to}` !== '' && (sent.get('if-range') ?? tag).trim() === tag;
  if (!isAsked) return undefined;
  const first = readInteger(from);
  const last = readInteger(to);
  // If the first byte is missing, the range means the last bytes.
  const start = from === '' ? Math.max(0, bytes - (last ?? bytes)) : (first ?? bytes);
  const end = from === '' || to === '' ? bytes - 1 : Math.min(last ?? bytes - 1, bytes - 1);
  // A range that ends before it begins is ignored (RFC 9110, section 14.1.1).
  if (from !== '' && to !== '' && (last ?? Infinity) < start) return undefined;
  return start >= bytes || end < start ? 'unsatisfiable' : [start, end];
}
