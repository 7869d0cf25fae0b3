// The two ways in which joined fragments are met: made of parts that are in memory already, and read as one text.

import type { JoinedFragments } from './port';

/** What joins fragments, so that a run of them is a piece of a JSON list. */
export const COMMA = 0x2c;

/** `parts` are JSON texts of one or more fragments each, in order; fragments within a part are already joined with commas. */
export function joinParts(parts: readonly Uint8Array[]): JoinedFragments {
  const commas = Math.max(0, parts.length - 1);
  return {
    byteLength: parts.reduce((sum, part) => sum + part.length, commas),
    copyTo: (target, offset) => {
      let at = offset;
      parts.forEach((part, index) => {
        if (index > 0) target[at++] = COMMA;
        target.set(part, at);
        at += part.length;
      });
    },
  };
}

/** Joined fragments as the JSON text of a list. */
export function listText(fragments: JoinedFragments): string {
  const content = Buffer.allocUnsafe(fragments.byteLength);
  fragments.copyTo(content, 0);
  return `[${content.toString()}]`;
}
