// Preloaded into a program (node --require) to see how much of its start is loading modules: writes, when it ends, to
// the file that MODULE_CLOCK names.

import { writeFileSync } from 'node:fs';
import Module from 'node:module';

export interface ModuleClock {
  /** Milliseconds that Node itself needs before it comes to the program. */
  readonly nodeMilliseconds: number;
  /** Milliseconds in `require`, including the first evaluation of the modules. */
  readonly moduleMilliseconds: number;
}

const nodeMilliseconds = performance.now();
let moduleMilliseconds = 0;
let depth = 0;

// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its own `this` below
const plainRequire = Module.prototype.require;

Module.prototype.require = function timedRequire(this: Module, id: string): unknown {
  const started = performance.now();
  depth += 1;
  try {
    return plainRequire.call(this, id) as unknown;
  } finally {
    depth -= 1;
    if (depth === 0) moduleMilliseconds += performance.now() - started;
  }
} as typeof plainRequire;

process.once('exit', () => {
  const path = process.env['MODULE_CLOCK'];
  const clock: ModuleClock = { nodeMilliseconds, moduleMilliseconds };
  if (path !== undefined) writeFileSync(path, JSON.stringify(clock));
});
