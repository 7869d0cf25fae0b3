// Light or dark, as the reader's system asks for.

export function isDarkPage(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches;
}
