// Names of counties as people write them.

import { fold } from './fold';

/** Ignores letter case, accents, punctuation and the word County, as the service does. */
export function foldCountyName(name: string): string {
  return fold(name)
    .normalize('NFD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/ (county|parish|borough|census area|municipality|municipio)$/, '');
}

/**
 * "Cache County, UT". "County" is not added to names that already end with it, or with another word such as Parish or
 * Borough.
 */
export function formatCounty(county: string, state: string): string {
  const name = /\b(county|parish|borough|city|municipality|census area|municipio)$/i.test(county)
    ? county
    : `${county} County`;
  return state === '' ? name : `${name}, ${state.toUpperCase()}`;
}
