// While nothing is published, the samples are, marked so in the catalog; the first real publish drops them.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadSubmission } from '../data-loaders/load-submission';
import { amountsFileNames } from '../data-loaders/format/amount-files';
import { SAMPLES_CAUSE } from '../data-loaders/publish/publish-data-sets';
import { SILENT } from '../data-loaders/stage/progress';
import { projectDirectory } from '../shared/project-files';
import type { Settings } from '../shared/settings';
import type { Store } from '../shared/store/port';

export async function loadSamples(store: Store, settings: Pick<Settings, 'stagingDirectory'>): Promise<void> {
  if ((await store.history()).some(({ cause }) => cause !== SAMPLES_CAUSE)) return;
  const folders = sampleFolders();
  // A start that was interrupted leaves some of them; those that are there are found unchanged.
  const dataSets = folders.flatMap((folder) => readdirSync(folder)).filter((name) => amountsFileNames.includes(name));
  if ((await store.currentState()).entries.length === dataSets.length) return;
  for (const folder of folders) {
    const report = await loadSubmission({
      folder,
      store,
      stagingDirectory: settings.stagingDirectory,
      rejectedShareLimit: 1, // Whatever the operator allows: their wrong rows are there to be seen.
      isDryRun: false,
      isSample: true,
      progress: SILENT,
      now: () => new Date(),
    });
    if (report.verdict === 'refused') console.error(`${folder}: ${report.sentence}`);
  }
}

function sampleFolders(): readonly string[] {
  const samples = join(projectDirectory(), 'data-loaders', 'samples');
  const entries = readdirSync(samples, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(samples, name));
}
