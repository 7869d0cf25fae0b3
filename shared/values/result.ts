// Failures. An expected one is a value that says in a sentence why something could not be read; one that the system or
// Node throws is told from others by its code.

export type Result<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

export function success<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

/** `problem` is a sentence without the parameter's or column's name; the caller knows where the value stood. */
export function failure(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

/** Says what is wrong with a text; thrown, so that a rule of a grammar need not hand on the failure of another. */
export class TextProblem extends Error {}

/** What `read` returns, or the TextProblem that it throws. */
export function catchTextProblem<Value>(read: () => Value): Result<Value> {
  try {
    return success(read());
  } catch (error) {
    if (error instanceof TextProblem) return failure(error.message);
    throw error;
  }
}

/** Whether an error carries one of the codes. It may come from another realm, so its class is not asked for. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'string' && codes.includes(error.code);
}

/** Undefined when the file or folder that is read is not there. */
export function readIfExists<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
