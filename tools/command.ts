// What every command line has in common: the Node version, the settings, and one clear sentence when it cannot run.

import { parseArgs, type ParseArgsConfig } from 'node:util';
import { localEnvironment, projectDirectory } from '../shared/project-files';
import { readSettings, type Settings } from '../shared/settings';

/** 0: done. 1: refused, for a reason that was printed. 2: could not run. */
export type ExitCode = 0 | 1 | 2;

/** node:sqlite with what we use of it, and zstd. */
const OLDEST_NODE = [22, 15] as const;

/** Says how to call the command; the message is printed without a stack. */
export class UsageError extends Error {}

export async function runCommand(main: (args: readonly string[]) => Promise<ExitCode>): Promise<void> {
  try {
    checkNodeVersion();
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof Error && process.env['DEBUG'] !== undefined) console.error(error.stack);
    process.exitCode = 2;
  }
}

export function commandSettings(): Settings {
  return readSettings(localEnvironment(process.env), projectDirectory());
}

/** `parseArgs` of node:util, whose complaints become a usage error. */
export function parseArguments<Config extends ParseArgsConfig>(
  config: Config,
  usage: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : ''}\n${usage}`);
  }
}

function checkNodeVersion(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(
    `This is Node ${process.versions.node}, but ${OLDEST_NODE.join('.')} or newer is needed: ` +
      'start it with "npm start" or "npm run", which use the Node that "npm install" brings.',
  );
}
