// The common part of all commands: checks the Node version, reads arguments and settings, and reports in one sentence
// why a command cannot run. If DEBUG is set, prints the stack of an error.

import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { findProjectDirectory, readLocalEnvironment } from '../shared/project-files';
import { readSettings, SettingError, type Settings } from '../shared/settings';
import { isUnwritable, toFullDiskError } from '../shared/store/sqlite/database';
import { escapeControls, escapeControlsInLines } from '../shared/values/escape-controls';
import { hasCode } from '../shared/values/result';

/** 0: done. 1: refused, with the reason printed. 2: could not run. 3: held until someone confirms it (D64). */
export type ExitCode = 0 | 1 | 2 | 3;

/** Thrown for invalid arguments. The message explains the usage. */
export class UsageError extends Error {}

interface CommandLine<Options extends ParseArgsOptionsConfig> {
  /** Printed for --help, and if the arguments are invalid. */
  readonly usage: string;
  readonly options: Options;
  /** The maximum number of arguments, not counting options. */
  readonly maxOperands: number;
}

type Arguments<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

/** How long to wait until the reader has received the output. */
const LINGER_MS = 2000;

export function runCommand<Options extends ParseArgsOptionsConfig>(
  commandLine: CommandLine<Options>,
  main: (args: Arguments<Options>) => Promise<ExitCode>,
): Promise<void> {
  return runMain(() => {
    if (!process.argv.includes('--help')) return main(readArguments(commandLine));
    console.log(commandLine.usage);
    return Promise.resolve(0);
  });
}

/** Runs a program without arguments, or a command that has read them. */
export async function runMain(main: () => Promise<ExitCode>): Promise<void> {
  try {
    checkNodeVersion();
    process.exitCode = await main();
  } catch (error) {
    console.error(escapeControlsInLines(error instanceof Error ? explainError(error) : String(error)));
    if (error instanceof Error && process.env['DEBUG'] !== undefined)
      console.error(escapeControlsInLines(error.stack ?? ''));
    process.exitCode = 2;
  } finally {
    // Some calls would keep the process alive: the SDK of Cosmos DB retries a missing host for two minutes.
    setTimeout(() => process.exit(), LINGER_MS).unref();
  }
}

/** Explains errors of SQLite and of a full disk, because their messages contain neither the file nor the reason. */
function explainError(error: Error): string {
  const folders = 'WATER_DATA_DIR and STAGING_DIR';
  const explained = toFullDiskError(error, readDataPath());
  if (explained instanceof Error && explained !== error) return explained.message;
  if (!hasCode(error, 'ERR_SQLITE_ERROR')) return error.message;
  if (!isUnwritable(error)) return error.message;
  return `The store cannot be written (${error.message}): this user must be able to write in ${folders}.`;
}

/** A path in the data directory, where a full disk is most likely. */
function readDataPath(): string {
  try {
    return join(commandSettings().dataDirectory, 'catalog.sqlite');
  } catch {
    return 'WATER_DATA_DIR';
  }
}

/** Reads the settings. `overrides` take precedence over the environment. */
export function commandSettings(overrides: Readonly<Record<string, string>> = {}): Settings {
  const settings = readSettings({ ...readLocalEnvironment(process.env), ...overrides }, findProjectDirectory());
  checkFolder('WATER_DATA_DIR', settings.dataDirectory);
  checkFolder('STAGING_DIR', settings.stagingDirectory);
  return settings;
}

/**
 * A missing folder is created when it is needed. Throws if a file exists at the path of the folder or of one of its
 * parents.
 */
function checkFolder(name: string, path: string): void {
  if (!existsSync(path)) checkFolder(name, dirname(path));
  else if (!statSync(path).isDirectory()) throw new SettingError(name, 'must be a folder, but is a file', path);
}

/**
 * Resolves a path relative to the folder from which npm was called, because npm runs scripts in the project's folder.
 */
export function resolveFromCaller(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
}

/** Prints a line. Escapes line breaks and escape codes, because names come from outside. */
export function printLine(line: string): void {
  console.log(escapeControls(line));
}

/** Prints a string of several lines. */
export function printText(text: string): void {
  console.log(escapeControlsInLines(text));
}

/** Prints a line about progress or trouble to standard error. */
export function printNotice(line: string): void {
  console.error(escapeControls(line));
}

/** Prints why the command was refused. */
export function printRefusal(sentence: string): ExitCode {
  console.error(escapeControlsInLines(sentence));
  return 1;
}

function readArguments<Options extends ParseArgsOptionsConfig>(commandLine: CommandLine<Options>): Arguments<Options> {
  const { usage, options, maxOperands: maxOperands } = commandLine;
  try {
    const args = parseArgs({ args: process.argv.slice(2), options, allowPositionals: true });
    if (args.positionals.length <= maxOperands) return args;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : ''}\n${usage}`);
  }
  throw new UsageError(usage);
}

function checkNodeVersion(): void {
  const { node } = process.versions;
  if (isNodeSupported(node)) return;
  const advice = 'start it with "npm start" or "npm run", which use the Node that "npm install" installs.';
  throw new Error(`This is Node ${node}, but 22.15 or 23.8 or newer is needed: ${advice}`);
}

/** The parts of node:sqlite that we use, and zstd in node:zlib, have existed since Node 22.15 and 23.8. */
export function isNodeSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major === 22 && minor >= 15) || (major === 23 && minor >= 8) || major >= 24;
}
