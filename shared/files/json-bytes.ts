// Where a value ends in the bytes of a JSON text that is known to be well-formed, without spaces.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPENING_LIST, CLOSING_LIST, OPENING_OBJECT, CLOSING_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const COMMA = 0x2c;

/** `start` is where the value begins. */
export function jsonValueEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return stringEnd(bytes, start);
  if (first === OPENING_LIST || first === OPENING_OBJECT) return nestedEnd(bytes, start);
  let at = start;
  while (at < bytes.length && !isEnd(bytes[at])) at++;
  return at;
}

function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function nestedEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length;) {
    const byte = bytes[at];
    at = byte === QUOTE ? stringEnd(bytes, at) : at + 1;
    if (byte === OPENING_LIST || byte === OPENING_OBJECT) depth++;
    else if (byte === CLOSING_LIST || byte === CLOSING_OBJECT) depth--;
    if (depth === 0) return at;
  }
  return bytes.length;
}

function isEnd(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSING_OBJECT || byte === CLOSING_LIST;
}
