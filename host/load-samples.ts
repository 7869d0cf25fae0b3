// Publishes the fictional samples if nothing else is published.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../shared/project-files';
import type { Settings } from '../shared/settings';
import { SAMPLES_CAUSE } from '../shared/store/catalog-types';
import type { Store } from '../shared/store/port';

/**
 * Loads the samples and marks them in the catalog. The first real publish drops them. The code of the loaders is
 * imported dynamically because most starts load nothing.
 */
export async function loadSamples(store: Store, settings: Pick<Settings, 'stagingDirectory'>): Promise<void> {
  if ((await store.history()).some(({ cause }) => cause !== SAMPLES_CAUSE)) return;
  const samples = join(findProjectDirectory(), 'data-loaders', 'samples');
  const { amountsFileNames } = await import('../data-loaders/format/submission-files.js');
  const entries = readdirSync(samples, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(samples, name));
  // An interrupted start may have loaded only some of them. Loading a data set that is already published changes
  // nothing.
  const dataSets = folders.flatMap((folder) => readdirSync(folder)).filter((name) => amountsFileNames.includes(name));
  if ((await store.currentState()).entries.length === dataSets.length) return;
  console.error('Publishing made-up samples, so that there is something to query (only once) ...');
  const { folderFiles } = await import('../data-loaders/format/submitted-files.js');
  const { loadSubmission } = await import('../data-loaders/load-submission.js');
  const { SILENT } = await import('../data-loaders/stage/progress.js');
  for (const folder of folders) {
    const report = await loadSubmission({
      files: folderFiles(folder),
      store,
      stagingDirectory: settings.stagingDirectory,
      rejectedShareLimit: 1, // The operator's limit does not apply, because the samples contain wrong rows on purpose.
      isDryRun: false,
      isSample: true,
      progress: SILENT,
      now: () => new Date(),
    });
    if (report.verdict === 'refused') console.error(`${folder}: ${report.sentence}`);
  }
}
