// The files of the package, its zip and a trial run. The program is the bundles of `npm run build`. The trial loads the
// app in a separate process, behind a stand-in for the platform's worker, and sends it one request (ADR 0028).

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { type Zippable, zipSync } from 'fflate';
import { listExplorerFilePaths } from '../../shared/explorer-build';
import { OPENAPI_FILE, pageFilePaths } from '../../shared/http/pages/page-files';
import { findProjectDirectory } from '../../shared/project-files';
import type { PrintedAnswer, TrialRequest, TrialRun } from './stand-in-worker';

/** Contents, keyed by path in the package. */
export type PackageFiles = Readonly<Record<string, Uint8Array>>;

/** Files for the platform and for people, in addition to the files that the program serves. */
const OTHER_FILES = ['host.json', 'LICENSE'];

/** The folder of the bundles from `npm run build`, and the file that lists them (tools/build/service-bundles.mjs). */
const BUNDLES = 'dist/bundle';

/** The earliest time that a zip can contain. A zip has no time zones, so local time is written unchanged. */
const MODIFIED_AT = new Date(1980, 0, 1);

/** The code for the operating system in a zip. */
const UNIX = 3;

/** Readable for everyone, because the platform mounts the package and runs it under its own account. */
const READABLE_FILE = 0o100644 << 16;

/**
 * Stored with Brotli, which makes it a fifth smaller than in the zip. Browsers receive it in this form (page-files.ts).
 */
const PRECOMPRESSED = '/swagger-ui-bundle.js';

export function packageFiles(): PackageFiles {
  const paths = [...OTHER_FILES, ...pageFilePaths, ...listExplorerFilePaths()];
  const assets = paths.map((path): [string, Uint8Array] => {
    const content = minifyOpenApi(path, readFileSync(join(findProjectDirectory(), path)));
    return path.endsWith(PRECOMPRESSED) ? [`${path}.br`, brotliCompressSync(content)] : [path, content];
  });
  return { ...Object.fromEntries(assets), 'package.json': buildManifest(), ...readBundles() };
}

/** The committed OpenAPI document has line breaks for reviewers, which make it a fifth longer in the zip. */
function minifyOpenApi(path: string, content: Uint8Array): Uint8Array {
  return path === OPENAPI_FILE ? Buffer.from(JSON.stringify(JSON.parse(Buffer.from(content).toString()))) : content;
}

/** The bytes depend only on the content, not on when or where the zip is built. */
export function zip(files: PackageFiles): Uint8Array {
  const names = Object.keys(files).sort();
  const entries = names.map((name) => [name, [files[name], { os: UNIX, attrs: READABLE_FILE }]]);
  // Every name is a key of `files`.
  return zipSync(Object.fromEntries(entries) as Zippable, { level: 9, mtime: MODIFIED_AT });
}

/**
 * The members of package.json that the platform and the program read. It lists no dependencies, so nothing is
 * installed.
 */
function buildManifest(): Uint8Array {
  const text = readFileSync(join(findProjectDirectory(), 'package.json'), 'utf8');
  const { name, version } = JSON.parse(text) as Readonly<Record<string, unknown>>; // The file is part of this project.
  return Buffer.from(JSON.stringify({ name, version, private: true, main: 'app.js' }, null, 2));
}

function readBundles(): PackageFiles {
  const folder = join(findProjectDirectory(), BUNDLES);
  // The build wrote this file.
  const names = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as readonly string[];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** More than the output of any trial. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

export interface TrialAnswer extends Omit<PrintedAnswer, 'base64'> {
  readonly body: Buffer;
  readonly text: string;
}

export interface Trial extends Omit<TrialRun, 'answers'> {
  readonly answers: readonly TrialAnswer[];
}

type TrialResult = Omit<Trial, 'answers'> & TrialAnswer;

export function unpack(files: PackageFiles, folder: string): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/**
 * Runs in a folder outside of the project, whose node_modules would hide missing files. Throws if the app is not
 * healthy.
 */
export async function tryPackage(files: PackageFiles): Promise<TrialResult> {
  const folder = mkdtempSync(join(tmpdir(), 'water-package-'));
  try {
    unpack(files, folder);
    const settings = { WATER_DATA_DIR: join(folder, 'data'), SUBMISSIONS_INBOX: join(folder, 'inbox') };
    const trial = await requestFrom(folder, { path: '/health' }, settings);
    if (trial.status !== 200) throw new Error(`the package answers /health with ${trial.status}: ${trial.text}`);
    return trial;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Sends one request, like `sendRequests`. */
export async function requestFrom(
  folder: string,
  request: TrialRequest,
  settings: Readonly<Record<string, string>>,
): Promise<TrialResult> {
  const { answers, ...run } = await sendRequests(folder, [request], settings);
  const [answer] = answers;
  if (answer === undefined) throw new Error(`${request.path} was not answered`);
  return { ...run, ...answer };
}

/**
 * Loads the app in `folder` with only `settings` in its environment, and sends it the requests one after another, as
 * the platform would.
 */
export async function sendRequests(
  folder: string,
  requests: readonly TrialRequest[],
  settings: Readonly<Record<string, string>>,
): Promise<Trial> {
  const worker = join(findProjectDirectory(), 'dist/tools/stand-in-worker.js');
  const running = promisify(execFile)(process.execPath, [worker, folder], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    cwd: folder,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  running.child.stdin?.end(JSON.stringify(requests));
  const { stdout } = await running;
  const { answers, ...run } = JSON.parse(stdout) as TrialRun; // Written by the stand-in.
  return { ...run, answers: answers.map(decodeAnswer) };
}

function decodeAnswer({ base64, ...answer }: PrintedAnswer): TrialAnswer {
  const body = Buffer.from(base64, 'base64');
  return { ...answer, body, text: body.toString() };
}
