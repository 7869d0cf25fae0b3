// The first step of `npm test` and of the checks: installs the test tools into tests/node_modules/, unless they already
// match tests/package-lock.json. The service does not need these tools, so `npm install` does not install them (ADR
// 0002). npm runs here on the Node that `npm install` installs.

import { spawnSync } from 'node:child_process';
import console from 'node:console';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const lock = readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8');
const installed = join(import.meta.dirname, 'node_modules', '.installed-lock.json');

if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
  console.log('Installing what the tests need into tests/node_modules; this takes about half a minute, once.');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: import.meta.dirname,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status === 0) writeFileSync(installed, lock);
  process.exitCode = status ?? 1;
}
