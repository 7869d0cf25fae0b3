// Folds text for comparison.

/** The service's text filters ignore letter case and extra spaces (D8). */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ');
}
