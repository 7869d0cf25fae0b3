// Computes a digest of the whole content of a release, to compare a copy with its original.

import { hash } from 'node:crypto';
import type { ReleaseFacts } from '../../shared/store/port';
import { ReleaseDigest } from '../build/release-digests';
import { type ReleaseItem } from './release-items';

/** `releaseId` is the name that is derived from the content. `full` covers everything. */
export interface Digests {
  readonly releaseId: string;
  readonly full: string;
}

const DIGEST_BYTES = 32;

/** The digest of the whole content of a release, so that a copy can be compared with its original. */
export class FullReleaseDigest {
  private readonly content: ReleaseDigest;
  /**
   * The XOR of the digests of all items. It does not depend on their order, because each store yields posting lists in
   * its own order.
   */
  private readonly sum = Buffer.alloc(DIGEST_BYTES);
  /** The number of items of each series. */
  private readonly counts = new Map<string, number>();

  constructor(facts: ReleaseFacts) {
    this.content = new ReleaseDigest(facts);
  }

  add(item: ReleaseItem): void {
    if (item.kind === 'lookups') this.content.addLookup(item.content);
    if (item.kind === 'record') this.content.addRecord(item.json, item.references);
    const series = item.kind === 'source' ? `source ${item.file}` : item.kind;
    const number = this.counts.get(series) ?? 0;
    this.counts.set(series, number + 1);
    const name = `${series} ${getItemName(item, number)}`;
    const bytes = item.kind === 'record' ? item.json : item.content;
    const digest = hash('sha256', `${name}\n${hash('sha256', bytes)}`, 'buffer');
    for (let offset = 0; offset < DIGEST_BYTES; offset += 4) {
      this.sum.writeInt32LE(this.sum.readInt32LE(offset) ^ digest.readInt32LE(offset), offset);
    }
  }

  finish(): Digests {
    return {
      releaseId: this.content.finish(),
      full: `${[...this.counts.values()].join()} ${this.sum.toString('hex')}`,
    };
  }
}

/**
 * Distinguishes an item within its series. For posting lists and artifacts, this is their name, because their order
 * differs between stores.
 */
function getItemName(item: ReleaseItem, number: number): string {
  if (item.kind === 'posting') return item.term;
  if (item.kind === 'artifact') return item.name;
  return item.kind === 'record' ? `${number} ${item.references.join()}` : String(number);
}
