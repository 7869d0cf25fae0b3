// Loads an app's folder in a process of its own, behind the stand-in for the platform's worker.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectDirectory } from '../../shared/project-files';
import type { SeenByWorker } from './stand-in-worker';

export interface AppRequest {
  /** The function that the request is for. */
  readonly name: string;
  /** With its query. */
  readonly path: string;
  readonly key?: string;
}

/** What the answer may have; no page is larger. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** `settings` are all that the app finds in its environment. */
export async function loadPackage(
  folder: string,
  { name, path, key = '' }: AppRequest,
  settings: Readonly<Record<string, string>>,
): Promise<SeenByWorker> {
  const worker = join(projectDirectory(), 'dist/tools/package/stand-in-worker.js');
  const { stdout } = await promisify(execFile)(process.execPath, [worker, folder, name, path, key], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    cwd: folder,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return JSON.parse(stdout) as SeenByWorker; // Of the stand-in.
}
