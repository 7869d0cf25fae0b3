// Programs that the benchmark measures run in processes of their own, so that its own memory and clock do not count.

import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../../shared/project-files';

export interface FinishedProgram {
  readonly output: string;
  readonly seconds: number;
  readonly peakMegabytes: number | undefined;
}

/** How often the peak is looked at; the kernel keeps it, so only the last look counts. */
const LOOK_MS = 50;

export type Environment = Readonly<Record<string, string>>;

/** `flags` are for Node itself, beside its own. */
export function startProgram(
  program: string,
  args: readonly string[],
  environment: Environment,
  flags: readonly string[] = [],
): ChildProcess {
  return spawn(process.execPath, [...programFlags(program), ...flags, builtFile(program), ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

export function builtFile(program: string): string {
  return join(projectDirectory(), 'dist', program);
}

export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Environment,
): Promise<FinishedProgram> {
  const started = performance.now();
  const child = startProgram(program, args, environment);
  let output = '';
  let peak: number | undefined;
  child.stdout?.on('data', (piece: Buffer) => {
    output += piece.toString();
  });
  const timer = setInterval(() => {
    peak = peakMegabytes(child.pid) ?? peak;
  }, LOOK_MS);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code ?? 'a signal'}: ${output}`);
  return { output, seconds: (performance.now() - started) / 1000, peakMegabytes: peak };
}

/** Resolves with the first line that the program prints. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text.includes('\n')) resolve(text.split('\n', 1)[0] ?? '');
    });
    child.once('exit', (code) => {
      reject(new Error(`the program ended with ${code ?? 'a signal'} before it was ready`));
    });
  });
}

export async function stopProgram(child: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await closed;
}

/** Memory that only this process holds, in megabytes; undefined where /proc is missing. */
export function privateMegabytes(pid: number | undefined): number | undefined {
  return kilobytesOf(`/proc/${pid ?? 0}/status`, /RssAnon:\s+(\d+) kB/);
}

function peakMegabytes(pid: number | undefined): number | undefined {
  return kilobytesOf(`/proc/${pid ?? 0}/status`, /VmHWM:\s+(\d+) kB/);
}

function kilobytesOf(path: string, line: RegExp): number | undefined {
  try {
    const found = line.exec(readFileSync(path, 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found) / 1000;
  } catch {
    return undefined;
  }
}

/** As package.json starts it. */
function programFlags(program: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(projectDirectory(), 'package.json'), 'utf8')) as Scripts;
  const command = Object.values(scripts).find((text) => text.split(' ').includes(`dist/${program}`)) ?? '';
  return command.split(' ').filter((word) => word.startsWith('--'));
}

interface Scripts {
  readonly scripts: Readonly<Record<string, string>>;
}
