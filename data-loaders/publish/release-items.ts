// The content of a release as a stream of items. One store's reader yields them, and another store's writer stores
// them.

import { listArtifactNames, type WrittenArtifact } from '../../shared/store/artifacts';
import type { ReleasePart, ReleaseReader, ReleaseWriter } from '../../shared/store/port';

/** One item of a release. */
export type ReleaseItem =
  | ReleasePart
  | { readonly kind: 'artifact'; readonly name: WrittenArtifact; readonly content: Uint8Array }
  | { readonly kind: 'source'; readonly file: string; readonly content: Uint8Array };

export async function* readItems(reader: ReleaseReader): AsyncIterable<ReleaseItem> {
  yield* reader.parts();
  for (const name of listArtifactNames(reader.facts.dataSet, reader.facts.records)) {
    const content = await reader.artifact(name);
    if (content !== undefined) yield { kind: 'artifact', name, content };
  }
  for await (const { name: file, pieces } of reader.sourceFiles()) {
    for await (const content of pieces()) yield { kind: 'source', file, content };
  }
}

export function writeItem(writer: ReleaseWriter, item: ReleaseItem): void {
  switch (item.kind) {
    case 'record':
      writer.addFragment('records', item.json, item.references);
      return;
    case 'lookups':
    case 'geometries':
    case 'places':
    case 'names':
      writer.addFragment(item.kind, item.content);
      return;
    case 'posting':
      writer.addPosting(item.term, item.content);
      return;
    case 'artifact':
      writer.addArtifact(item.name, [item.content]);
      return;
    case 'source':
      writer.addSourcePiece(item.file, item.content);
  }
}
