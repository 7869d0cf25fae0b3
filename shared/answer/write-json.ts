// A page as JSON (D21 to D24), joined from stored texts: nothing is parsed or serialized but the organizations' own
// members. The page is complete in memory before the first byte is sent.

import type { DataSetLayout } from '../records/data-sets';
import type { PlannedPage, PageSlice } from '../search/plan-page';
import { readSlice, type Piece } from './page-texts';

export async function writeJson(layout: DataSetLayout, page: PlannedPage): Promise<readonly Piece[]> {
  const pieces: Piece[] = [`{"${layout.countName}":${page.total},"Organizations":[`];
  for (const [index, slice] of page.slices.entries()) {
    if (index > 0) pieces.push(',');
    await writeOrganization(layout, slice, pieces);
  }
  pieces.push(']}');
  return pieces;
}

/** Appends the object of one organization, its members in the order of the layout (D23). */
async function writeOrganization(layout: DataSetLayout, slice: PageSlice, pieces: Piece[]): Promise<void> {
  const { records, lookups } = await readSlice(slice);
  const { organization } = slice.reader.facts;
  layout.organization.forEach((part, index) => {
    pieces.push(index === 0 ? '{' : ',', `"${part.name}":`);
    if (part.kind === 'member') pieces.push(JSON.stringify(organization[part.name]));
    else pieces.push('[', part.kind === 'records' ? records : (lookups.get(part.name) ?? ''), ']');
  });
  pieces.push('}');
}
