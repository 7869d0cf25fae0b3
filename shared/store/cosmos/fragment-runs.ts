// Neighbouring fragments share a document: lookups as plain objects, geometries as base64.

import { INLINE_BYTES, type ContentReference } from './documents';

/** A lookup as it stands in the answer; a text that is no such object, or base64; or where a large fragment lies. */
export type FragmentEntry = Readonly<Record<string, unknown>> | string | ContentReference;

export interface FragmentRun {
  /** The number of the first fragment. */
  readonly first: number;
  readonly items: readonly FragmentEntry[];
}

/** About eight sites. Larger runs make scattered sites dearer to read, smaller ones those of a year. */
const RUN_BYTES = 8192;

export class FragmentRunBuilder {
  private first = 0;
  private items: FragmentEntry[] = [];
  private bytes = 0;

  /** `addContent` stores a large fragment in pieces. */
  constructor(private readonly addContent: (content: Uint8Array) => ContentReference) {}

  /** Returns the run that is full before this fragment, if there is one. */
  add(content: string | Uint8Array): FragmentRun | undefined {
    const entry = typeof content === 'string' ? this.entryOfText(content) : this.entryOfBytes(content);
    const bytes = Buffer.byteLength(JSON.stringify(entry)) + 1;
    const full = this.items.length > 0 && this.bytes + bytes > RUN_BYTES ? this.take() : undefined;
    this.items.push(entry);
    this.bytes += bytes;
    return full;
  }

  /** Ends and returns the run under way; undefined when nothing was added since the last one. */
  take(): FragmentRun | undefined {
    if (this.items.length === 0) return undefined;
    const { first, items } = this;
    this.first += items.length;
    this.items = [];
    this.bytes = 0;
    return { first, items };
  }

  private entryOfText(text: string): FragmentEntry {
    const plain = plainObject(text);
    if (plain !== undefined) return plain;
    return quotedBytes(text) <= INLINE_BYTES ? text : this.addContent(Buffer.from(text));
  }

  private entryOfBytes(content: Uint8Array): FragmentEntry {
    const text = Buffer.from(content).toString('base64');
    return text.length <= INLINE_BYTES ? text : this.addContent(content);
  }
}

/** The fragment's bytes, or where they lie. `encoding` is that of texts which are no objects. */
export function readFragment(entry: FragmentEntry, encoding: 'utf8' | 'base64'): Uint8Array | ContentReference {
  // Copied, because small Buffers lie in shared memory and are not aligned.
  if (typeof entry === 'string') return new Uint8Array(Buffer.from(entry, encoding));
  return isReference(entry) ? entry : Buffer.from(JSON.stringify(entry));
}

function isReference(entry: FragmentEntry): entry is ContentReference {
  return Array.isArray(entry);
}

/**
 * JSON.stringify writes a lone surrogate as an escape; the service keeps texts as UTF-8, which has no lone surrogates.
 */
const LONE_SURROGATE = /\\ud[89a-f]/i;

/** No data member has this name, and an object made from it would get a prototype. */
const PROTOTYPE = '"__proto__"';

/**
 * The object that can stand in the container for a JSON text; undefined where the text is anything else, or would come
 * back with other bytes: numbers that no double is written as (-0, 1.0), spaces between members, one name twice.
 */
export function plainObject(json: string): Readonly<Record<string, unknown>> | undefined {
  if (!json.startsWith('{') || Buffer.byteLength(json) > INLINE_BYTES) return undefined;
  if (LONE_SURROGATE.test(json) || json.includes(PROTOTYPE)) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    // A text that starts with a brace is an object.
    return JSON.stringify(value) === json ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** How many bytes a text takes inside a document. */
export function quotedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
