// How two texts are compared: each filter folds the query's value and the record's value in the same way (D8, D9, D12).

/** D8: trimmed, NFC, lower case, runs of white space as one space. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ');
}

/** D9: as D8, and white space, commas, underscores, hyphens and slashes removed. */
export function foldVariable(text: string): string {
  return foldText(text).replace(/[\s,_\-/]+/g, '');
}

/** D12: as D8, and a trailing "County" ignored. */
export function foldCounty(text: string): string {
  const folded = foldText(text);
  return folded.endsWith(' county') ? folded.slice(0, -' county'.length) : folded;
}
