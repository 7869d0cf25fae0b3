// Compares texts by their UTF-8 bytes, which is the order of lists in answers (D17).

/**
 * Compares by UTF-8 bytes. The order of UTF-16 code units, JavaScript's own, differs only between a surrogate and a
 * unit above the surrogates.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rankCodeUnit(left) - rankCodeUnit(right);
  }
  return a.length - b.length;
}

/** Surrogates encode characters above U+FFFF, so they sort after every other unit. */
function rankCodeUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
