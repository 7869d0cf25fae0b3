// Whether the reader's system prefers dark pages.

export function isDarkPage(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches;
}
