// Receives the body of a check or of a submission (D76): an archive, a workbook, or a form with the files. Files are
// stored in a folder under numbers, so that no name from a client becomes a path.

import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { readInteger } from '../../values/numbers';
import { BodyIncompleteError, BodyTooLargeError, limitBytes } from '../pipeline/body-stream';
import { createProblem, type Problem } from '../pipeline/outcome';
import type { HttpRequest } from '../pipeline/service';
import type { SentFile } from '../pipeline/submission-ports';

export const ZIP_TYPES = ['application/zip', 'application/x-zip-compressed', 'application/x-zip'];

export const WORKBOOK_TYPES = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-excel.sheet.macroenabled.12',
];

const FORM_TYPE = 'multipart/form-data';

/** A real submission has about ten files. */
const MAX_FILES = 200;

/** The parts of a request that are needed to receive its body. */
type BodyRequest = Pick<HttpRequest, 'headers' | 'readBody' | 'streamBody'>;

export interface ReceivedBody {
  readonly files: readonly SentFile[];
  readonly isPackage: boolean;
}

/** Returns the files, or the reason why the body is refused. `folder` must exist and be empty. */
export async function receiveSubmission(
  request: BodyRequest,
  folder: string,
  maxBytes: number,
): Promise<ReceivedBody | Problem> {
  const { headers } = request;
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const packageName = findPackageName(type);
  const coding = (headers.get('content-encoding') ?? '').trim().toLowerCase();
  const isReadable = packageName !== undefined || type === FORM_TYPE;
  if (!isReadable || !['', 'identity'].includes(coding)) return UNSUPPORTED_SUBMISSION;
  const announcedBytes = readInteger(headers.get('content-length') ?? '');
  if (announcedBytes !== undefined && announcedBytes > maxBytes) return submissionTooLarge(maxBytes);
  try {
    const body = openBody(request, maxBytes);
    if (packageName !== undefined) return await receivePackage(body, folder, packageName);
    return await new FormReceiver(folder).receive(body, headers.get('content-type') ?? '');
  } catch (error) {
    if (error instanceof BodyTooLargeError) return submissionTooLarge(maxBytes);
    if (error instanceof BodyIncompleteError) return INCOMPLETE_BODY;
    throw error;
  }
}

function findPackageName(type: string): string | undefined {
  if (ZIP_TYPES.includes(type)) return 'submission.zip';
  return WORKBOOK_TYPES.includes(type) ? 'submission.xlsx' : undefined;
}

/** On hosts that do not stream bodies, reads the whole body first. */
function openBody({ streamBody, readBody }: BodyRequest, maxBytes: number): AsyncIterable<Uint8Array> {
  if (streamBody !== undefined) return limitBytes(streamBody(), maxBytes);
  return readWholeBody(readBody, maxBytes);
}

async function* readWholeBody(readBody: HttpRequest['readBody'], maxBytes: number): AsyncIterable<Uint8Array> {
  const body = await readBody?.(maxBytes);
  if (body === undefined && readBody !== undefined) throw new BodyTooLargeError();
  if (body !== undefined) yield body;
}

async function receivePackage(body: AsyncIterable<Uint8Array>, folder: string, name: string): Promise<ReceivedBody> {
  const path = join(folder, '0');
  await pipeline(body, createWriteStream(path));
  return { files: [{ name, path }], isPackage: true };
}

class FormReceiver {
  private readonly files: SentFile[] = [];
  private readonly writes: Promise<void>[] = [];
  private readonly parts: Readable[] = [];
  private problem: Problem | undefined;

  constructor(private readonly folder: string) {}

  async receive(body: AsyncIterable<Uint8Array>, contentType: string): Promise<ReceivedBody | Problem> {
    let form: BusboyInstance;
    try {
      form = this.createForm(contentType);
    } catch {
      return BAD_FORM;
    }
    try {
      await pipeline(Readable.from(body, { objectMode: false }), form);
      await Promise.all(this.writes);
    } catch (error) {
      // The parser leaves the current part open, and the write of that part would wait forever.
      for (const part of this.parts) part.destroy();
      await Promise.allSettled(this.writes);
      if (error instanceof BodyTooLargeError || error instanceof BodyIncompleteError || hasCode(error)) throw error;
      return BAD_FORM;
    }
    if (this.problem !== undefined) return this.problem;
    return this.files.length === 0 ? NO_FILES : { files: this.files, isPackage: false };
  }

  private createForm(contentType: string): BusboyInstance {
    const limits = { files: MAX_FILES, fields: MAX_FILES, parts: 2 * MAX_FILES, headerPairs: 20, fieldSize: 1000 };
    const form = new Busboy({ headers: { 'content-type': contentType }, limits });
    form.on('file', (_, stream, fileName) => {
      this.parts.push(stream);
      this.writes.push(this.receiveFile(stream, fileName));
    });
    const refuse = (): void => {
      this.problem = TOO_MANY_FILES;
    };
    form.on('filesLimit', refuse).on('partsLimit', refuse).on('fieldsLimit', refuse);
    return form;
  }

  /** Stores a file from a form. The parser has already removed folders from the name. */
  private async receiveFile(stream: Readable, name: string | undefined): Promise<void> {
    const isUsable = name !== undefined && name !== '' && isFileName(name);
    const isTwice = this.files.some((file) => file.name === name);
    if (!isUsable || isTwice) {
      // A browser sends an empty part for a field without a file.
      if (name !== undefined && name !== '') this.problem ??= isTwice ? createTwiceProblem(name) : BAD_NAME;
      stream.resume();
      return;
    }
    const path = join(this.folder, String(this.files.length));
    this.files.push({ name, path });
    await pipeline(stream, createWriteStream(path));
  }
}

/** In bytes. File systems allow 255 bytes. */
const MAX_NAME_BYTES = 200;

function isFileName(name: string): boolean {
  const isPath = /[/\\\p{Cc}]/u.test(name) || name === '.' || name === '..';
  return !isPath && Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

/** Whether the error is a disk failure, which is not the fault of the body. */
function hasCode(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^E(NOSPC|ACCES|ROFS|IO|MFILE|NOENT)$/.test(String(error.code));
}

export const UNREADABLE_SUBMISSION = 'Submission not readable';

const BAD_FORM = createProblem(
  422,
  UNREADABLE_SUBMISSION,
  'The form cannot be read. Send the files as multipart/form-data, each as a part with a file name.',
);

const NO_FILES = createProblem(
  422,
  UNREADABLE_SUBMISSION,
  'The form has no files. Send each file as a part with its file name.',
);

const BAD_NAME = createProblem(
  422,
  UNREADABLE_SUBMISSION,
  'A file name of the form has a path, control characters or more than 200 bytes. Give the file a plain name.',
);

const TOO_MANY_FILES = createProblem(
  422,
  UNREADABLE_SUBMISSION,
  `The form has too many parts: at most ${MAX_FILES} files. Send the files of the submission only.`,
);

function createTwiceProblem(name: string): Problem {
  return createProblem(422, UNREADABLE_SUBMISSION, `The form contains the file ${name} twice. Send it only once.`);
}

export const UNSUPPORTED_SUBMISSION = createProblem(
  415,
  'Unsupported body type',
  `Send a ZIP file (${ZIP_TYPES[0] ?? ''}), a workbook (${WORKBOOK_TYPES[0] ?? ''}) or the files (${FORM_TYPE}), uncompressed.`,
);

const INCOMPLETE_BODY = createProblem(400, 'Body incomplete', 'The body is incomplete. Send it again.');

export function submissionTooLarge(maxBytes: number): Problem {
  const megabytes = Math.floor(maxBytes / (1024 * 1024)).toLocaleString('en-US');
  return createProblem(
    413,
    'Submission too large',
    `The body may have at most ${megabytes} MB. Compress the files into a ZIP file, or use the service's inbox.`,
  );
}
