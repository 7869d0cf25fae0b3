// Loads an app's folder in a process of its own, behind the stand-in for the platform's worker.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectDirectory } from '../../shared/project-files';
import type { SeenByWorker } from './stand-in-worker';

export interface AppRequest {
  /** The function that the request is for. */
  readonly name: string;
  /** With its query. */
  readonly path: string;
  readonly key?: string;
}

/** `settings` are all that the app finds in its environment. */
export function loadPackage(
  folder: string,
  { name, path, key = '' }: AppRequest,
  settings: Readonly<Record<string, string>>,
): SeenByWorker {
  const worker = join(projectDirectory(), 'dist/tools/package/stand-in-worker.js');
  const ended = spawnSync(process.execPath, [worker, folder, name, path, key], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    cwd: folder,
    encoding: 'utf8',
  });
  if (ended.status !== 0) throw new Error(`the package does not load: ${ended.stderr}`);
  return JSON.parse(ended.stdout) as SeenByWorker; // Of the stand-in.
}
