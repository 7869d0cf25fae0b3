// Reports the progress of a load: one line on a terminal, or nothing. The observer can also stop the load.

import { escapeControls } from '../../shared/values/escape-controls';

export interface LoadProgress {
  startFile(name: string, bytes: number): void;
  /** Called with the number of bytes of the file that were read since the last call. */
  readonly advance: (bytes: number) => void;
  countRows(rows: number): void;
  /** Starts a stage that does not read a file, such as writing, with `total` steps. */
  startStage(name: string, total: number): void;
  step(): void;
  done(): void;
  readonly log: Log;
}

/** Thrown when a load is stopped at a point from which it can resume. */
export class StoppedError extends Error {
  constructor() {
    super('the load was told to stop');
  }
}

/** Receives messages for the operator, for example that staged rows were discarded. */
export type Log = (message: string) => void;

export const SILENT: LoadProgress = {
  startFile: () => undefined,
  advance: () => undefined,
  countRows: () => undefined,
  startStage: () => undefined,
  step: () => undefined,
  done: () => undefined,
  log: () => undefined,
};

const REDRAW_MS = 100;

/** Redraws one line on a terminal. Elsewhere, prints a line for each stage. */
export function terminalProgress(stream: NodeJS.WriteStream, now: () => number): LoadProgress {
  let label = '';
  let total = 0;
  let finished = 0;
  let rows = 0;
  let isFile = false;
  let drawnAt = 0;
  const draw = (): void => {
    if (!stream.isTTY) return;
    drawnAt = now();
    const share = total === 0 ? 100 : Math.min(100, Math.floor((finished / total) * 100));
    const bar = '#'.repeat(Math.floor(share / 5)).padEnd(20, '.');
    const count = isFile ? `  ${rows.toLocaleString('en-US')} rows` : '';
    stream.write(`\r\u001b[K[${bar}] ${String(share).padStart(3)}%  ${label}${count}`);
  };
  const drawSometimes = (): void => {
    if (now() - drawnAt >= REDRAW_MS) draw();
  };
  const start = (name: string, size: number, isFileStage: boolean): void => {
    [label, total, finished, rows, isFile] = [escapeControls(name), size, 0, 0, isFileStage];
    if (stream.isTTY) draw();
    else stream.write(`${label}\n`);
  };
  return {
    startFile: (name, bytes) => {
      start(`reading ${name}`, bytes, true);
    },
    advance: (bytes) => {
      finished += bytes;
      drawSometimes();
    },
    countRows: (more) => {
      rows += more;
    },
    startStage: (name, steps) => {
      start(name, steps, false);
    },
    step: () => {
      finished++;
      if ((finished & 1023) === 0) drawSometimes();
    },
    done: () => {
      if (stream.isTTY) stream.write('\r\u001b[K');
    },
    log: (message) => {
      stream.write(`${stream.isTTY ? '\r\u001b[K' : ''}${escapeControls(message)}\n`);
    },
  };
}
