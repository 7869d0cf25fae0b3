// Names of the owners of keys, as people and operators write them.

/** Ends lines or changes the direction of the text around it. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Spaces, controls, fillers, marks that are drawn only on another character, the empty pattern of Braille, the note without
 * a head, and what stands for a broken character or an object.
 */
const INVISIBLE = /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800\ufffc\ufffd\u{1d159}]/gu;

/** The name in one line; undefined if nothing of it is visible. */
export function readOwnerName(text: string): string | undefined {
  const name = text.toWellFormed().replaceAll(UNSAFE, ' ').trim();
  return name.replaceAll(INVISIBLE, '') === '' ? undefined : name;
}
