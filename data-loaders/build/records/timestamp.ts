// D28: dates that the answer gives as timestamps.

export function timestampOf(date: string | null): string | null {
  return date === null ? null : `${date}T00:00:00`;
}
