// Runs measured programs in their own processes, so that the benchmark's memory and processor time do not count.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../../shared/project-files';
import type { MeasuredServer } from './timing-client';

export type Environment = Readonly<Record<string, string>>;

export interface FinishedProgram {
  readonly output: string;
  readonly seconds: number;
  /** Processor time of all threads, in user and system mode; undefined if /proc is missing. */
  readonly processorSeconds: number | undefined;
  /** The peak of resident memory; undefined if /proc is missing. */
  readonly peakMegabytes: number | undefined;
}

export interface StartedServer extends MeasuredServer {
  readonly child: ChildProcess;
}

/**
 * The interval for reading peak memory and processor time. The kernel accumulates both, so only the last reading
 * counts.
 */
const CHECK_MS = 50;

/** The arguments of Node for a program of tools/launch.mjs, as `npm run` starts it. */
export function programArguments(program: string): readonly string[] {
  return [join(findProjectDirectory(), 'tools', 'launch.mjs'), program];
}

/** Throws if the exit code of the program is not 0. */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Environment = {},
): Promise<FinishedProgram> {
  return runNode([...programArguments(program), ...args], environment);
}

/** Runs Node with these arguments until it ends. Throws if its exit code is not 0. */
export async function runNode(
  nodeArguments: readonly string[],
  environment: Environment = {},
): Promise<FinishedProgram> {
  const started = performance.now();
  const child = startNode(nodeArguments, environment);
  let output = '';
  let peak: number | undefined;
  let processorSeconds: number | undefined;
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const timer = setInterval(() => {
    peak = readPeakMegabytes(child.pid) ?? peak;
    processorSeconds = readProcessorSeconds(child.pid) ?? processorSeconds;
  }, CHECK_MS);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`${nodeArguments.join(' ')} ended with ${code ?? 'a signal'}: ${output}`);
  return { output, seconds: (performance.now() - started) / 1000, processorSeconds, peakMegabytes: peak };
}

/** `flags` are for Node itself, in addition to the flags in tools/launch.mjs. */
export async function startService(environment: Environment, flags?: readonly string[]): Promise<StartedServer> {
  const child = startProgram('start', environment, [], flags);
  const url = new URL(/http:\S+/.exec(await readFirstLine(child))?.[0] ?? '');
  return { child, origin: url.origin, headers: { 'X-API-Key': /^#key=(.+)$/.exec(url.hash)?.[1] ?? '' } };
}

export async function stopServer({ child }: StartedServer): Promise<void> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await closed;
}

/** Runs `task` with the service and the floor server, and always stops both. */
export async function withServers<Result>(
  environment: Environment,
  task: (servers: { readonly service: StartedServer; readonly floor: StartedServer }) => Promise<Result>,
): Promise<Result> {
  const child = startProgram('floor-server', {});
  const floor = { child, origin: await readFirstLine(child), headers: {} };
  try {
    const service = await startService(environment);
    try {
      return await task({ service, floor });
    } finally {
      await stopServer(service);
    }
  } finally {
    await stopServer(floor);
  }
}

/** The memory that only this process holds; undefined if /proc is missing. */
export function readPrivateMegabytes({ child }: StartedServer): number | undefined {
  return readStatusMegabytes(child.pid, /RssAnon:\s+(\d+) kB/);
}

function readPeakMegabytes(pid: number | undefined): number | undefined {
  return readStatusMegabytes(pid, /VmHWM:\s+(\d+) kB/);
}

function readStatusMegabytes(pid: number | undefined, line: RegExp): number | undefined {
  try {
    const kilobytes = line.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1000;
  } catch {
    return undefined;
  }
}

/** Linux counts processor time in hundredths of a second on all processors that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Undefined if /proc is missing or the process has ended. */
function readProcessorSeconds(pid: number | undefined): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid ?? 0}/stat`, 'utf8');
    // The second field is the program's name in parentheses; fields 14 and 15 are user and system time (proc(5)).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isNaN(ticks) || ticks === 0 ? undefined : ticks / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

function startProgram(
  program: string,
  environment: Environment,
  args: readonly string[] = [],
  flags: readonly string[] = [],
): ChildProcess {
  return startNode([...flags, ...programArguments(program), ...args], environment);
}

function startNode(nodeArguments: readonly string[], environment: Environment): ChildProcess {
  return spawn(process.execPath, nodeArguments, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function readFirstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.split('\n', 1)[0] ?? '');
    });
    child.once('exit', (code) => {
      reject(new Error(`the program ended with ${code ?? 'a signal'} before it was ready`));
    });
  });
}
