// While nothing is published, the samples are, marked so in the catalog; the first real publish drops them.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadSubmission } from '../../data-loaders/load-submission';
import { SILENT } from '../../data-loaders/report/progress';
import { projectDirectory } from '../../shared/project-files';
import type { Settings } from '../../shared/settings';
import type { Store } from '../../shared/store/port';

export async function loadSamples(store: Store, settings: Settings): Promise<void> {
  const state = await store.currentState();
  if (state.entries.length > 0 || (await store.history()).some(({ cause }) => cause !== 'samples')) return;
  const samples = join(projectDirectory(), 'data-loaders', 'samples');
  for (const folder of readdirSync(samples, { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    const report = await loadSubmission({
      folder: join(samples, folder.name),
      store,
      stagingDirectory: settings.stagingDirectory,
      rejectedShareLimit: settings.rejectedShareLimit,
      isDryRun: false,
      isSample: true,
      progress: SILENT,
      now: () => new Date(),
    });
    if (report.verdict === 'refused') console.error(`sample ${folder.name}: ${report.sentence}`);
  }
}
