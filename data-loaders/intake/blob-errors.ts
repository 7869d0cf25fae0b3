// Which status the storage answered with.

export function isStatus(error: unknown, ...statuses: readonly number[]): boolean {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return false;
  return typeof error.statusCode === 'number' && statuses.includes(error.statusCode);
}
