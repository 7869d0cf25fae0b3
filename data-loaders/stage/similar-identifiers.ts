// Finds the identifier that an unknown reference probably means: one in another letter case, one that looks the same,
// or one that is the same number (D65, D73). The reference stays unresolved; a finding suggests the identifier.

import { ownText } from '../../shared/values/bytes/own-bytes';
import { formatCodePoint } from '../format/code-points';

/** The three forms in which identifiers are compared. `toNumber` returns undefined for a text that is not a number. */
const COMPARISONS: readonly ((id: string) => string | undefined)[] = [(id) => id.toLowerCase(), toSkeleton, toNumber];

/** Stands for a form that several identifiers share, so that none of them is suggested. */
const AMBIGUOUS = undefined;

export class SimilarIdentifiers {
  /** For each comparison: the identifiers, keyed by their compared form. */
  private readonly known: readonly Map<string, string | undefined>[];

  constructor(identifiers: Iterable<string>) {
    this.known = COMPARISONS.map(() => new Map<string, string | undefined>());
    for (const id of identifiers) {
      for (const [index, compare] of COMPARISONS.entries()) {
        const key = compare(id);
        const map = this.known[index];
        if (key !== undefined) map?.set(ownText(key), map.has(key) ? AMBIGUOUS : id);
      }
    }
  }

  /** Undefined if no comparison has a match, or if the closest comparison with a match has more than one. */
  find(id: string): string | undefined {
    for (const [index, compare] of COMPARISONS.entries()) {
      const key = compare(id);
      const map = this.known[index];
      if (key !== undefined && map?.has(key) === true) return map.get(key);
    }
    return undefined;
  }
}

/** The differing code points of two texts that look the same, such as `U+2011 here`. */
export function describeDifference(here: string, there: string): string {
  const onlyHere = findUnusual(here, there);
  const onlyThere = findUnusual(there, here);
  const parts = [
    onlyHere === undefined ? '' : `; ${onlyHere} here`,
    onlyThere === undefined ? '' : `; ${onlyThere} there`,
  ];
  return parts.join('');
}

function findUnusual(text: string, other: string): string | undefined {
  const otherCharacters = new Set(other);
  const unusual = Array.from(text).find((character) => !isPrintableAscii(character) && !otherCharacters.has(character));
  return unusual === undefined ? undefined : formatCodePoint(unusual);
}

function isPrintableAscii(character: string): boolean {
  return /^[\x20-\x7e]$/.test(character);
}

/** Letters of other scripts that look like these Latin letters, in uppercase and lowercase. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аα',
  b: 'ЬβВ',
  c: 'сϲ',
  d: 'ԁ',
  e: 'еε',
  g: 'ɡ',
  h: 'һНΗ',
  i: 'іι',
  j: 'ј',
  k: 'кκ',
  l: 'ⅼ',
  m: 'мΜ',
  n: 'пΝ',
  o: 'оο',
  p: 'рρ',
  q: 'ԛ',
  s: 'ѕ',
  t: 'тτ',
  u: 'υ',
  v: 'ѵν',
  w: 'ԝ',
  x: 'хχ',
  y: 'уγΥ',
  z: 'Ζ',
};

const LATIN_BY_LOOK_ALIKE: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, others]) =>
    Array.from(others).flatMap((other) =>
      [other, other.toLowerCase(), other.toUpperCase()].map((form) => [form, latin]),
    ),
  ),
);

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Mn}]/gu;
const DASH = /[\p{Pd}\u2212]/gu;
const QUOTES = /[\u2018\u2019\u02bc\u2032]/gu;
const NOT_ASCII = /\P{ASCII}/gu;

/** Returns the skeleton of a text. Texts that look the same to a person have the same skeleton. */
function toSkeleton(text: string): string {
  // Decomposed, so that a letter also matches without its accent, and é equals e with a combining accent.
  return text
    .normalize('NFKD')
    .replace(/[\s\u00a0]+/g, ' ')
    .replace(DASH, '-')
    .replace(QUOTES, "'")
    .replace(INVISIBLE, '')
    .replace(NOT_ASCII, (character) => LATIN_BY_LOOK_ALIKE.get(character) ?? character)
    .toLowerCase();
}

const NUMBER = /^[-+]?\d+(?:\.\d*)?(?:e[-+]?\d{1,3})?$/i;
const GROUPED = /^\d{1,3}(?:,\d{3})+$/;

/** The maximum number of digits that a spreadsheet keeps. Longer texts are compared as strings. */
const MAX_DIGITS = 15;

/** The number that a spreadsheet would read in a text. */
function toNumber(text: string): string | undefined {
  const plain = GROUPED.test(text) ? text.replaceAll(',', '') : text;
  if (!NUMBER.test(plain)) return undefined;
  const digits = plain.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  return digits.length > MAX_DIGITS ? undefined : String(Number(plain));
}
