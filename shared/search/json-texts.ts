// Extracts the texts of one member from the stored JSON of many records without parsing the records, which would take
// many times as long.
//
// It is safe for three reasons. (1) The loader writes the JSON, so `"name":` is followed by the value without a space.
// (2) A quote inside a value is escaped, so the pattern `"name":` never matches inside a value. (3) Callers pass only
// members that every record has exactly once and that no nested object has.

import { ownText } from '../values/bytes/own-bytes';

/** Returns the member's text in each record, in the order of the records; null if the value is null. */
export function extractTexts(recordsJson: string, member: string): readonly (string | null)[] {
  // The value is null or a JSON string: quoted, with any character escaped by a backslash.
  const memberPattern = new RegExp(`"${member}":(?:null|("[^"\\\\]*(?:\\\\.[^"\\\\]*)*"))`, 'g');
  return Array.from(recordsJson.matchAll(memberPattern), ([, textJson]) =>
    textJson === undefined ? null : parseText(textJson),
  );
}

/** Few texts contain an escaped character. Only these are parsed. */
function parseText(textJson: string): string {
  // The value is a JSON string.
  return textJson.includes('\\') ? (JSON.parse(textJson) as string) : ownText(textJson.slice(1, -1));
}
