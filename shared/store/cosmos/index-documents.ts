// Documents of the container `index`: data that only this program reads. They are derived from records, lookups and
// source rows, or are these rows themselves. Bytes are base64.

import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { BlobFamily } from '../port';
import {
  type AddContent,
  type ContentReference,
  type CosmosDocument,
  type IndexFamily,
  MAX_FRAGMENT_BYTES,
} from './document-names';

/** A fragment in base64, or the location of a large one. */
export type FragmentEntry = string | ContentReference;

/**
 * A term; its record set, serialized in base64, or the location of a large one; and, if the term is stored by its
 * digest, the location of its text.
 */
export type TermEntry = readonly [term: string, list: FragmentEntry, text?: ContentReference];

/** The content of a document of each family. The digest covers only the content, which contains no objects. */
export interface IndexContents {
  readonly geometries: readonly FragmentEntry[];
  readonly places: readonly FragmentEntry[];
  readonly names: readonly FragmentEntry[];
  /**
   * Small posting lists share documents, which are called buckets. The hash of a term determines its bucket, so a
   * million terms take ten thousand documents, and one read finds a term without a directory.
   */
  readonly terms: readonly TermEntry[];
  /** Base64. */
  readonly pieces: string;
}

export interface IndexDocument<Family extends IndexFamily> extends CosmosDocument {
  readonly content: IndexContents[Family];
  /** CRC-32 of the document's number and content. */
  readonly digest: number;
}

/** `contentJson` is the JSON text of the content. */
export function digestIndexContent(family: IndexFamily, number: number, contentJson: string): number {
  return crc32(contentJson, crc32(`${family} ${number}`));
}

export function isIndexIntact(family: IndexFamily, number: number, document: IndexDocument<IndexFamily>): boolean {
  return digestIndexContent(family, number, JSON.stringify(document.content)) === document.digest;
}

/** Room for about eight geometries. */
const FRAGMENT_DOCUMENT_BYTES = 8192;

/** Collects neighboring fragments until a document is full. */
export class FragmentDocumentBuilder<Family extends BlobFamily> {
  private entries: FragmentEntry[] = [];
  private bytes = 0;

  constructor(
    private readonly addContent: AddContent,
    private readonly end: (content: IndexContents[Family]) => void,
  ) {}

  add(fragment: Uint8Array): void {
    const text = Buffer.from(fragment).toString('base64');
    const entry = text.length <= MAX_FRAGMENT_BYTES ? text : this.addContent(fragment);
    const bytes = typeof entry === 'string' ? entry.length : 40;
    if (this.entries.length > 0 && this.bytes + bytes > FRAGMENT_DOCUMENT_BYTES) this.endDocument();
    this.entries.push(entry);
    this.bytes += bytes;
  }

  endDocument(): void {
    if (this.entries.length === 0) return;
    this.end(this.entries);
    this.entries = [];
    this.bytes = 0;
  }
}

/** Reads the fragment's bytes, or the location of a large fragment. */
export function readFragment(entry: FragmentEntry): Uint8Array | ContentReference {
  // Copied, because small Buffers share memory and are not aligned.
  return typeof entry === 'string' ? new Uint8Array(Buffer.from(entry, 'base64')) : entry;
}

/** A longer term, such as a site whose identifier is a page of text, is stored by its digest. */
const MAX_TERM_LENGTH = 256;

/** Returns a term in the form in which documents store it. */
export function toStoredTerm(term: string): string {
  return term.length <= MAX_TERM_LENGTH ? term : `sha256 ${hash('sha256', term)}`;
}

/** Returns a 32-bit hash that distributes stored terms evenly over buckets. */
export function hashTerm(stored: string): number {
  return hash('sha256', stored, 'buffer').readUInt32BE(0);
}

/** Finds the number of the bucket for a hash; `buckets` is the number of buckets of the release. */
export function findBucket(hash: number, buckets: number): number {
  return Math.floor((hash * buckets) / 0x100000000);
}
