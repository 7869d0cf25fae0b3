// The common part of all commands: they check the Node version, read the settings, and say in one clear sentence why
// they cannot run.

import { resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { localEnvironment, projectDirectory } from '../shared/project-files';
import { readSettings, type Settings } from '../shared/settings';

/** 0: done. 1: refused, for a reason that was printed. 2: could not run. */
export type ExitCode = 0 | 1 | 2;

/** Tells the caller how to call the command; its message is printed without a stack. */
export class UsageError extends Error {}

/** Time for the output to reach its reader. */
const LINGER_MS = 2000;

export async function runCommand(main: (args: readonly string[]) => Promise<ExitCode>): Promise<void> {
  try {
    checkNodeVersion();
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof Error && process.env['DEBUG'] !== undefined) console.error(error.stack);
    process.exitCode = 2;
  } finally {
    // Some calls would keep the process alive: the SDK of Cosmos DB looks for a host that is not there for two minutes.
    setTimeout(() => process.exit(), LINGER_MS).unref();
  }
}

/** The members of `instead` win over the environment. */
export function commandSettings(instead: Readonly<Record<string, string>> = {}): Settings {
  return readSettings({ ...localEnvironment(process.env), ...instead }, projectDirectory());
}

/** Resolves a path against the folder from which npm was called; npm runs scripts in the project's folder. */
export function fromCaller(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
}

export function printUsage(usage: string): ExitCode {
  console.log(usage);
  return 0;
}

/** Calls `parseArgs` of node:util; its errors become a UsageError. */
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
  const { node } = process.versions;
  if (isNodeSupported(node)) return;
  const advice = 'start it with "npm start" or "npm run", which use the Node that "npm install" brings.';
  throw new Error(`This is Node ${node}, but 22.15 or 23.8 or newer is needed: ${advice}`);
}

/** Node has had the parts of node:sqlite that we use, and zstd in node:zlib, since 22.15 and 23.8. */
export function isNodeSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major === 22 && minor >= 15) || (major === 23 && minor >= 8) || major >= 24;
}
