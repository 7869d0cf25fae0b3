// Makes the sample submissions of the project, and the page beside them that says what each holds and which rows are
// wrong on purpose: npm run samples

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDirectory } from '../../shared/project-files';
import { writeSubmission, type WrittenTable } from '../generate/tables';
import { coloradoAllocations } from './colorado';
import { idahoAggregated } from './idaho';
import { newMexicoAggregated } from './new-mexico';
import type { Sample } from './sample';
import { utahSiteAmounts } from './utah';
import { wyomingDiversions } from './wyoming';

/** Any number will do; another one gives other samples. */
const SEED = 1869;

const INTRODUCTION = `# Sample submissions

Invented data in the real format, served until something real is published, and something to load by hand:
\`npm run load -- data-loaders/samples/utah-site-amounts\`. Sites, systems, owners, rights and amounts are made up, and no
record is of a real person or right. They lie in real counties (outlines of the U.S. Census Bureau, by us-atlas) along courses like those of real rivers;
watershed numbers are of the right region, but none that a real watershed has. Each folder is one submission. Loaded by hand, a sample is
real data to the service, so all other samples are dropped: add \`--dry-run\` to see the report alone.

\`npm run samples\` makes all of this, this page too, and always the same bytes: change \`bench/samples/\`, not the files.

Some rows are wrong on purpose, to show what a report says about them. *Rejected* rows are left out; *warned* rows
are published without the part that is wrong. Rejected rows stay far below the tenth of a file at which a submission is refused.
Like real files, they also lack some optional columns and have others that are not read: one remark for each file.
`;

async function main(): Promise<void> {
  const folder = join(projectDirectory(), 'data-loaders', 'samples');
  const makers = [utahSiteAmounts, coloradoAllocations, newMexicoAggregated, idahoAggregated, wyomingDiversions];
  let page = INTRODUCTION;
  for (const [index, make] of makers.entries()) {
    const sample = make(SEED + index);
    const written = await writeSubmission(folder, sample);
    const rows = written.map((table) => `${table.file} ${table.rows}`).join(', ');
    page += describe(sample, written, rows);
    process.stdout.write(`${sample.folder}: ${rows}\n`);
  }
  await writeFile(join(folder, 'README.md'), page);
}

function describe({ folder, description }: Sample, written: readonly WrittenTable[], rows: string): string {
  const flaws = written.flatMap((table) => table.flaws);
  const lines = flaws.map(({ file, line, outcome, rule }) => `| ${file} | ${line} | ${outcome} | ${rule} |\n`);
  return `
## ${folder}

${description}

Rows: ${rows}.

| file | line | outcome | what is wrong |
|---|---|---|---|
${lines.join('')}`;
}

void main();
