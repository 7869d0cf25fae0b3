// Neighbouring fragments share a document: lookups as plain objects, geometries as base64.

import { INLINE_BYTES, type ContentReference } from './documents';
import { plainObject, quotedBytes } from './plain-json';

/** A lookup as it stands in the answer; a text that is no such object, or base64; where a large one lies. */
export type FragmentEntry = Readonly<Record<string, unknown>> | string | ContentReference;

export interface FragmentRun {
  readonly first: number;
  readonly items: readonly FragmentEntry[];
}

/** Eight or so sites; larger runs make scattered sites dearer, smaller ones those of a year. */
const RUN_BYTES = 8192;

export class FragmentPacker {
  private first = 0;
  private items: FragmentEntry[] = [];
  private bytes = 0;

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
  // A copy of its own: small Buffers lie in shared memory, aligned to nothing.
  if (typeof entry === 'string') return new Uint8Array(Buffer.from(entry, encoding));
  return isReference(entry) ? entry : Buffer.from(JSON.stringify(entry));
}

function isReference(entry: FragmentEntry): entry is ContentReference {
  return Array.isArray(entry);
}
