// Names of key owners, as visitors and operators enter them.

/** Matches characters that end a line or change the direction of the text around them. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Matches invisible characters: spaces, controls, fillers, combining marks, the empty Braille pattern, the null
 * notehead, and the replacement characters for broken text or objects.
 */
const INVISIBLE = /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800\ufffc\ufffd\u{1d159}]/gu;

/** Returns the name on one line; undefined if it has no visible characters. */
export function readOwnerName(text: string): string | undefined {
  const name = text.toWellFormed().replaceAll(UNSAFE, ' ').trim();
  return name.replaceAll(INVISIBLE, '') === '' ? undefined : name;
}
