// Reads a release from end to end, a few requests of neighbouring documents at a time.

import type { FragmentFamily, ReleasePart } from '../port';
import type { DocumentReader } from './document-reader';
import type { ContentReference, Family } from './documents';
import { readFragment, type FragmentRun } from './fragment-runs';
import { lookupsOf, readRecordRun, type RecordRun } from './record-runs';
import type { ReleaseDocument } from './release-documents';
import type { TermBucket } from './term-buckets';

/** Bounds the memory that they take: half a megabyte to 3 MB. */
const DOCUMENTS_AT_ONCE = 160;

export async function* releaseParts(release: ReleaseDocument, documents: DocumentReader): AsyncIterable<ReleasePart> {
  const textOf = async (reference: ContentReference): Promise<string> =>
    Buffer.from(await documents.content(reference)).toString();
  for await (const content of fragments('lookups')) yield { kind: 'lookups', content: Buffer.from(content).toString() };
  for await (const run of all<RecordRun>('records')) {
    const texts = readRecordRun(run, release.shape, Uint32Array.from(run.records.keys()));
    for (const [index, text] of texts.entries()) {
      const json = typeof text === 'string' ? text : await textOf(text);
      yield { kind: 'record', json, references: lookupsOf(run, index) };
    }
  }
  for await (const content of fragments('geometries')) yield { kind: 'geometries', content };
  for await (const { terms } of all<TermBucket>('terms')) {
    for (const { term, list, text } of terms) {
      const content = typeof list === 'string' ? Buffer.from(list, 'base64') : await documents.content(list);
      yield { kind: 'posting', term: text === undefined ? term : await textOf(text), content };
    }
  }

  async function* fragments(family: FragmentFamily): AsyncIterable<Uint8Array> {
    const encoding = family === 'geometries' ? 'base64' : 'utf8';
    for await (const { items } of all<FragmentRun>(family)) {
      for (const item of items) {
        const found = readFragment(item, encoding);
        yield found instanceof Uint8Array ? found : await documents.content(found);
      }
    }
  }

  async function* all<Content>(family: Family): AsyncIterable<Content> {
    const count = release.documents[family];
    for (let from = 0; from < count; from += DOCUMENTS_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(DOCUMENTS_AT_ONCE, count - from) }, (_, index) => from + index);
      yield* await documents.read<Content>(family, numbers);
    }
  }
}
