// The packages of bench/package.json. The root's installation and type checks must work without them, so the used part
// of each interface is declared here, and a package is loaded on demand.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findProjectDirectory } from '../../shared/project-files';

/**
 * https://github.com/mcollina/autocannon: sends a request on each connection as soon as the previous answer is
 * complete.
 */
export type Autocannon = (
  options: {
    readonly url: string;
    readonly connections: number;
    /** In seconds. */
    readonly duration: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly requests: readonly { readonly setupRequest: <Request extends object>(request: Request) => Request }[];
    readonly setupClient: (client: AutocannonClient) => void;
  },
  done: (error: Error | null, result: AutocannonResult) => void,
) => AutocannonRun;

export interface AutocannonClient {
  pipelinedRequests: { addBody: (piece: Buffer) => void };
}

export interface AutocannonResult {
  /** Broken connections, and answers that took more than ten seconds. */
  readonly errors: number;
  readonly non2xx: number;
  /** In seconds. */
  readonly duration: number;
}

interface AutocannonRun {
  /** `bytes` includes the head of the answer. */
  on(
    event: 'response',
    listener: (client: AutocannonClient, status: number, bytes: number, milliseconds: number) => void,
  ): void;
}

const folder = join(findProjectDirectory(), 'bench');

function arePackagesInstalled(): boolean {
  return existsSync(join(folder, 'node_modules', 'autocannon'));
}

/** Throws if npm cannot install them. */
export function installPackages(log: (line: string) => void): void {
  if (arePackagesInstalled()) return;
  log('Installing the packages of the benchmark: npm --prefix bench ci');
  const { status } = spawnSync('npm', ['--prefix', folder, 'ci', '--no-progress'], {
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('The packages of the benchmark could not be installed.');
}

export function loadAutocannon(): Autocannon {
  return load('autocannon') as Autocannon; // The interface in the package's documentation.
}

function load(name: string): unknown {
  return createRequire(join(folder, 'package.json'))(name);
}
