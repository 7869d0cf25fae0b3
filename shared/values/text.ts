// How two texts are compared: filters fold the query's value and the record's value in the same way (D8, D9, D12), and
// what an answer lists stands in the order of UTF-8 bytes (D17).

/** Trims, composes (NFC), lowers the case and makes each run of white space one space (D8). */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ');
}

/** Folds as `foldText` does, and removes white space, commas, underscores, hyphens and slashes (D9). */
export function foldVariable(text: string): string {
  return foldText(text).replace(/[\s,_\-/]+/g, '');
}

/** Folds as `foldText` does, and ignores a trailing "County" (D12). */
export function foldCounty(text: string): string {
  const folded = foldText(text);
  return folded.endsWith(' county') ? folded.slice(0, -' county'.length) : folded;
}

/**
 * Compares by UTF-8 bytes (D17). The order of UTF-16 differs from it only where a surrogate meets a unit above the
 * surrogates, so everything but astral characters compares as JavaScript does.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rankOfUnit(left) - rankOfUnit(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for characters above U+FFFF, so they sort after every other unit. */
function rankOfUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
