// Builds the last release in CHANGELOG.md from the project's Git history, to compare it with this program on the same
// data and machine.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../../shared/project-files';

export interface LastRelease {
  readonly version: string;
  /** A checkout of the release with its packages installed and the program built. */
  readonly folder: string;
}

/** Reuses the checkout of an earlier run. Throws if there is no history or the release cannot be built. */
export function buildLastRelease(log: (line: string) => void): LastRelease {
  const project = findProjectDirectory();
  const version = /^## \[(\d+\.\d+\.\d+)\]/m.exec(readFileSync(join(project, 'CHANGELOG.md'), 'utf8'))?.[1];
  if (version === undefined) throw new Error('CHANGELOG.md names no release to compare with.');
  const folder = join(project, '.data', `release-${version}`);
  if (!existsSync(join(folder, 'package.json'))) {
    run('git', ['worktree', 'prune'], project);
    run('git', ['worktree', 'add', '--detach', folder, findCommit(version, project)], project);
  }
  if (!existsSync(join(folder, 'dist'))) {
    log(`building version ${version}, once`);
    run('npm', ['ci', '--no-audit', '--no-fund'], folder);
    run('npm', ['run', '--silent', 'build'], folder);
  }
  return { version, folder };
}

/** The arguments for Node to run `npm run load` of a release, whose flags may differ from this program's. */
export function readLoadArguments(folder: string): readonly string[] {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(text) as { readonly scripts: Readonly<Record<string, string>> }; // The format that npm uses.
  const words = (scripts['load'] ?? '').split(' ');
  const node = words.indexOf('node');
  if (node === -1) throw new Error(`${folder}: "npm run load" does not start Node.`);
  return words.slice(node + 1).map((word) => (/\.m?js$/.test(word) ? join(folder, word) : word));
}

/** The tag of the version, or the commit that added its heading to CHANGELOG.md. */
function findCommit(version: string, project: string): string {
  const tag = spawnSync('git', ['rev-parse', '--verify', '--quiet', `v${version}^{commit}`], { cwd: project });
  if (tag.status === 0) return tag.stdout.toString().trim();
  const commits = run('git', ['log', '--format=%H', `-S## [${version}]`, '--', 'CHANGELOG.md'], project);
  const first = commits.trim().split('\n').at(-1);
  if (!first) throw new Error(`The history of this checkout does not contain version ${version}: fetch all of it.`);
  return first;
}

function run(program: string, args: readonly string[], folder: string): string {
  const { status, stdout } = spawnSync(program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`"${program} ${args.join(' ')}" failed in ${folder}.`);
  return stdout.toString();
}
