// Tries a package out: loads it in a process of its own, behind a stand-in for the platform's worker, and sends it one
// request.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { projectDirectory } from '../../shared/project-files';
import type { PackageFiles } from './package-files';
import type { SeenByWorker } from './stand-in-worker';

/** Larger than any answer, which is one page at most. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Works away from the project, whose node_modules would hide what is missing. Throws when the app is not healthy. */
export async function tryPackage(files: PackageFiles): Promise<SeenByWorker> {
  const folder = mkdtempSync(join(tmpdir(), 'water-package-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const settings = { WATER_DATA_DIR: join(folder, 'data'), SUBMISSIONS_INBOX: join(folder, 'inbox') };
    const seen = await requestFrom(folder, { name: 'Health', path: '/health' }, settings);
    if (seen.status !== 200) throw new Error(`the package answers /health with ${seen.status}: ${seen.text}`);
    return seen;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Sends a request to the function `name` of the app in `folder`, which finds only `settings` in its environment. */
export async function requestFrom(
  folder: string,
  { name, path, key = '' }: { readonly name: string; readonly path: string; readonly key?: string },
  settings: Readonly<Record<string, string>>,
): Promise<SeenByWorker> {
  const worker = join(projectDirectory(), 'dist/tools/package/stand-in-worker.js');
  const { stdout } = await promisify(execFile)(process.execPath, [worker, folder, name, path, key], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    cwd: folder,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return JSON.parse(stdout) as SeenByWorker; // Written by the stand-in.
}
