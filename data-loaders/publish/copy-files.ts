// Copies the download files of releases from one storage to another.

import { isDeepStrictEqual } from 'node:util';
import type { CatalogEntry } from '../../shared/store/catalog-types';
import { type DownloadFiles } from '../../shared/store/download-files';
import { describeFiles } from './describe-files';

/** Copies the files of releases that lack files in the target. Returns the number of copied releases. */
export async function copyFiles(
  from: DownloadFiles,
  to: DownloadFiles,
  releases: readonly Pick<CatalogEntry, 'releaseId'>[],
): Promise<number> {
  let copied = 0;
  for (const { releaseId } of releases) {
    const files = await from.find(releaseId);
    if (files === undefined || (await to.find(releaseId)) !== undefined) continue;
    await to.make(releaseId, async (folder) => {
      await from.fetch(releaseId, folder);
      const copiedFiles = await describeFiles(folder, files.find(({ madeFor }) => madeFor !== undefined)?.madeFor);
      if (!isDeepStrictEqual(copiedFiles, files)) throw new Error(`the files of release ${releaseId} are damaged`);
      return copiedFiles;
    });
    copied++;
  }
  return copied;
}
