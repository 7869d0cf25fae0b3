// Reads the vocabulary of a release, once.

import type { ReleaseReader } from '../store/port';
import type { SearchCaches } from './search-caches';
import type { Vocabulary } from '../query/filter-terms';

/** A parsed text needs more than its bytes. */
const MEMORY_PER_BYTE = 4;

export async function vocabularyOf(reader: ReleaseReader, caches: SearchCaches): Promise<Vocabulary> {
  const { releaseId } = reader.facts;
  const known = caches.vocabularies.get(releaseId);
  if (known !== undefined) return known;
  const content = await reader.artifact('vocabulary');
  if (content === undefined) throw new Error('a release without vocabulary');
  const vocabulary = JSON.parse(Buffer.from(content).toString()) as Vocabulary; // Written by the loader's TermIndex.
  caches.vocabularies.set(releaseId, vocabulary, content.byteLength * MEMORY_PER_BYTE);
  return vocabulary;
}
