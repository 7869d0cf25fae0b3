// Which of the system's errors a file operation met.

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'string' && codes.includes(error.code);
}
