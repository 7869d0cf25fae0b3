// `npm run build` always bundles the current sources, and replaces only files whose content changes, so that running
// programs are not disturbed.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../fixtures/host-process';

const OUTPUT = join(PROJECT, 'dist');

/** A file of the build that no other test uses. */
const STARTER = join(OUTPUT, 'tools', 'soak.js');

function build(): number | null {
  return spawnSync(process.execPath, ['tools/build/main.mjs'], { cwd: PROJECT }).status;
}

/** The inode changes when a file is replaced. `.compiled` belongs to programs that run at the same time. */
function outputFiles(): Readonly<Record<string, number>> {
  const paths = readdirSync(OUTPUT, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => !path.includes('.compiled') && !path.startsWith('package'));
  return Object.fromEntries(files.sort().map((path) => [path, statSync(join(OUTPUT, path)).ino]));
}

test('leaves files with unchanged content alone', () => {
  expect(build()).toBe(0);
  const before = outputFiles();
  expect(build()).toBe(0);
  expect(outputFiles()).toEqual(before);
});

test('writes a deleted or changed file again', () => {
  const content = readFileSync(STARTER, 'utf8');
  rmSync(STARTER);
  expect(build()).toBe(0);
  expect(readFileSync(STARTER, 'utf8')).toBe(content);
  writeFileSync(STARTER, 'changed');
  expect(build()).toBe(0);
  expect(readFileSync(STARTER, 'utf8')).toBe(content);
});
