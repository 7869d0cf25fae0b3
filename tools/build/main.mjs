// `npm run build`, and the first step of every command: bundles the service, the developer tools and the explorer into
// dist/ (ADR 0001). Types are not checked here; `npm run types` does that.

import console from 'node:console';
import { accessSync, constants, existsSync } from 'node:fs';
import process from 'node:process';
import { buildExplorer } from './explorer-files.mjs';
import { writeLicenseNotices } from './license-notices.mjs';
import { buildBundles } from './service-bundles.mjs';

if (isWritable('.')) {
  const [bundles, explorer] = await Promise.all([buildBundles(), buildExplorer()]);
  writeLicenseNotices([...bundles, ...explorer]);
} else if (!existsSync('dist/bundle')) {
  console.error('The program is not built, and this user cannot write here: run "npm run build" as the owner.');
  process.exitCode = 1;
}
// If the user has no write permission, such as the user of a system service, the existing build is used.

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
