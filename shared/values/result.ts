// Expected failure as a value: what could not be read says why in one sentence.

export type Result<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

export function success<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

/** `problem` is a sentence without the parameter's or column's name; the caller knows where the value stood. */
export function failure(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}
