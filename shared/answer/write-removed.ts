// A page of the keys of removed records as JSON (D37). Members of a key are as the answer wrote them.

import type { DataSetLayout } from '../records/data-sets';
import { parseItems, type ReadablePage, type WrittenPage } from './page-texts';

export function writeRemoved({ keyMembers }: DataSetLayout, { total, slices }: ReadablePage): WrittenPage {
  const texts = slices.flatMap(({ organization: { OrganizationUUID }, records }) =>
    parseItems(records).map((record) => {
      const Key = Object.fromEntries(keyMembers.map((name) => [name, record[name] ?? null]));
      return JSON.stringify({ OrganizationUUID, Key });
    }),
  );
  return { kind: 'pieces', pieces: [`{"TotalRemovedCount":${total},"Removed":[${texts.join()}]}`] };
}
