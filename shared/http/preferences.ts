// What a client prefers, as the headers Accept and Accept-Encoding list it (RFC 9110, section 12.4.2).

import { readNumber } from '../values/numbers';

export interface Preference {
  /** Lower case, without parameters: a media range or a content coding. */
  readonly name: string;
  /** 0 to 1; 0 refuses. */
  readonly weight: number;
}

/** Browsers send a dozen; what comes after so many counts as not sent. */
const MAX_PREFERENCES = 100;

/** In the order of the header. Time and memory are linear in its length. */
export function readPreferences(header: string): readonly Preference[] {
  return header
    .split(',', MAX_PREFERENCES)
    .map((element): Preference => {
      const [name = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return { name, weight: weight === undefined ? 1 : weightOf(weight.slice(2)) };
    })
    .filter(({ name }) => name !== '');
}

/** One that cannot be read counts as none. */
function weightOf(text: string): number {
  const value = readNumber(text);
  return value === undefined || value < 0 || value > 1 ? 1 : value;
}
