// The answer's bytes (D21 to D24), joined from ready fragments: nothing is parsed or serialized but the organizations' own
// members. The page is complete in memory before the first byte is sent.

import type { DataSetLayout, OrganizationPart } from '../records/data-sets';
import type { LookupKind } from '../records/lookups';
import type { PlannedPage, PageSlice } from '../search/plan-page';
import type { ReleaseFacts } from '../store/port';

type Piece = string | Uint8Array;

export async function writePage(layout: DataSetLayout, page: PlannedPage): Promise<Buffer> {
  const pieces: Piece[] = [`{"${layout.countName}":${page.total},"Organizations":[`];
  for (const [index, slice] of page.slices.entries()) {
    if (index > 0) pieces.push(',');
    await writeOrganization(layout, slice, pieces);
  }
  pieces.push(']}');
  return join(pieces);
}

async function writeOrganization(
  layout: DataSetLayout,
  { reader, numbers }: PageSlice,
  pieces: Piece[],
): Promise<void> {
  const records = await reader.records(numbers);
  const fragments = await reader.fragments('lookups', records.references);
  const lookups = splitByKind(reader.facts, records.references, fragments);
  layout.organization.forEach((part, index) => {
    pieces.push(index === 0 ? '{' : ',', `"${nameOf(part)}":`);
    if ('member' in part) {
      pieces.push(JSON.stringify(reader.facts.organization[part.member]));
    } else {
      pushList('records' in part ? records.parts : (lookups.get(part.lookups) ?? []), pieces);
    }
  });
  pieces.push('}');
}

function nameOf(part: OrganizationPart): string {
  if ('member' in part) return part.member;
  return 'records' in part ? part.records : part.lookups;
}

/** Lookups are numbered kind by kind, so each kind is one stretch of the ascending references. */
function splitByKind(
  facts: ReleaseFacts,
  references: Uint32Array,
  fragments: readonly Uint8Array[],
): ReadonlyMap<LookupKind, readonly Uint8Array[]> {
  const lists = new Map<LookupKind, readonly Uint8Array[]>();
  let end = 0;
  let position = 0;
  for (const { kind, count } of facts.lookups) {
    end += count;
    const start = position;
    while (position < references.length && (references[position] ?? 0) < end) position++;
    lists.set(kind, fragments.slice(start, position));
  }
  return lists;
}

function pushList(items: readonly Uint8Array[], pieces: Piece[]): void {
  pieces.push('[');
  items.forEach((item, index) => {
    if (index > 0) pieces.push(',');
    pieces.push(item);
  });
  pieces.push(']');
}

function join(pieces: readonly Piece[]): Buffer {
  const length = pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length),
    0,
  );
  const body = Buffer.allocUnsafeSlow(length);
  let offset = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      offset += body.write(piece, offset);
    } else {
      body.set(piece, offset);
      offset += piece.length;
    }
  }
  return body;
}
