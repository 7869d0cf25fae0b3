// Failures. An expected failure is a value with a sentence that explains it. Errors of the system and of Node are
// recognized by their code.

export type Result<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

export function success<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

/** `problem` is a sentence without the name of the parameter or column, which the caller adds. */
export function failure(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

/** A problem with a text. It is thrown, so that the functions of a parser need not pass on each other's failures. */
export class TextProblem extends Error {}

/** Returns the value of `read`, or a failure when it throws a TextProblem. */
export function catchTextProblem<Value>(read: () => Value): Result<Value> {
  try {
    return success(read());
  } catch (error) {
    if (error instanceof TextProblem) return failure(error.message);
    throw error;
  }
}

/** Whether an error has one of the codes. Errors may come from another realm, so their class is not checked. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'string' && codes.includes(error.code);
}

/** Undefined when the file or folder does not exist. */
export function readIfExists<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
