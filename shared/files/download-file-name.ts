// File names for downloaded release files.

import { KIND_NAMES } from '../records/data-set-names';
import type { DownloadName } from '../store/download-files';
import type { ReleaseFacts } from '../store/port';

/** Builds a distinct name for each file from organization, data set, release and kind of file, in ASCII. */
export function buildDownloadFileName(name: DownloadName, releaseId: string, facts: ReleaseFacts): string {
  const { OrganizationName, OrganizationUUID } = facts.organization;
  const owner = toWords(OrganizationName) || toWords(OrganizationUUID);
  return `${owner}-${toWords(KIND_NAMES[facts.dataSet])}-${releaseId.slice(0, 8)}-${name}`;
}

function toWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
