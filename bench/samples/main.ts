// Makes the sample submissions of the project: npm run samples

import { join } from 'node:path';
import { coloradoAllocations } from './colorado-allocations';
import { idahoAggregated } from './idaho-aggregated';
import { newMexicoAggregated } from './new-mexico-aggregated';
import { utahSiteAmounts } from './utah-site-amounts';
import { writeSamples } from './write-samples';
import { wyomingDiversions } from './wyoming-diversions';

/** Any number will do; another one gives other samples. */
const SEED = 1869;

/** From dist/bench/samples, where this file is compiled to. */
const PROJECT = join(__dirname, '..', '..', '..');

async function main(): Promise<void> {
  const samples = [utahSiteAmounts, coloradoAllocations, newMexicoAggregated, idahoAggregated, wyomingDiversions];
  const written = await writeSamples(
    join(PROJECT, 'data-loaders', 'samples'),
    samples.map((create, index) => create(SEED + index)),
  );
  for (const { folder, files } of written) {
    process.stdout.write(`${folder}: ${files.map(({ file, rows }) => `${file} ${rows}`).join(', ')}\n`);
  }
}

void main();
