// Reads a family of a release from end to end, block by block.

import type { ReleasePart } from '../port';
import type { BlockDirectory } from './block-file';
import { fragmentStart, readBlockHeader } from './fragment-block';
import type { ReadBytes } from './fragment-selection';
import type { BlockFamily } from './release-file';

export function* blockParts(family: BlockFamily, directory: BlockDirectory, read: ReadBytes): Iterable<ReleasePart> {
  const { positions, contentBytes, headerBytes } = directory;
  for (const [block, position] of positions.entries()) {
    const bytes = contentBytes[block] ?? 0;
    const whole = new Uint8Array(bytes + (headerBytes[block] ?? 0));
    read(whole, 0, whole.length, position);
    const content = Buffer.from(whole.buffer, 0, bytes);
    const header = readBlockHeader(whole.subarray(bytes));
    const { count, ends, lists, listEnds, references } = header;
    for (let index = 0; index < count; index++) {
      const fragment = content.subarray(fragmentStart(header, index), ends[index]);
      const list = lists[index] ?? 0;
      const from = list === 0 ? 0 : listEnds[list - 1];
      yield partOf(family, fragment, references.subarray(from, listEnds[list]));
    }
  }
}

function partOf(family: BlockFamily, fragment: Buffer, references: Uint32Array): ReleasePart {
  switch (family) {
    case 'lookups':
      return { kind: family, content: fragment.toString() };
    case 'records':
      return { kind: 'record', json: fragment.toString(), references: [...references] };
    case 'geometries':
      return { kind: family, content: fragment };
  }
}
