// Folds text for comparison.

/** Texts that differ in letter case alone are the same to the service's text filters (D8). */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ');
}
