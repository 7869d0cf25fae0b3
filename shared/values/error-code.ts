// Which of the errors that carry a code was met: those of the system and of Node.

/** Whatever threw it: an error of another realm is no instance of ours. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'string' && codes.includes(error.code);
}
