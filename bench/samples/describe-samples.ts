// The page that stands beside the sample submissions. It is made with them, so its line numbers are right.

import type { Flaw } from './sample-submission';

export interface LocatedFlaw extends Flaw {
  readonly file: string;
  /** Of the file, the header being line 1. */
  readonly line: number;
}

export interface WrittenSample {
  readonly folder: string;
  readonly description: string;
  readonly files: readonly { readonly file: string; readonly rows: number }[];
  readonly flaws: readonly LocatedFlaw[];
}

export function describeSamples(samples: readonly WrittenSample[]): string {
  return `# Sample submissions

Invented data in the real format, served until something real is published, and something to load by hand:
\`npm run load -- data-loaders/samples/utah-site-amounts\`. Places, systems, owners and amounts are made up; watershed
numbers are of the right region, but none that a real watershed has. Each folder is one submission. Loaded by hand, a sample is
real data to the service, so all other samples are dropped: add \`--dry-run\` to see the report alone.

\`npm run samples\` makes all of this, this page too, and always the same bytes: change \`bench/samples/\`, not the files.

Some rows are wrong on purpose, to show what a report says about them. *Rejected* rows are left out; *warned* rows
are published without the part that is wrong. Rejected rows stay far below the tenth of a file at which a submission is refused.
Like real files, they also lack some optional columns and have others that are not read: one remark for each file.
${samples.map(describeSample).join('')}`;
}

function describeSample({ folder, description, files, flaws }: WrittenSample): string {
  const rows = files.map(({ file, rows: count }) => `${file} ${count}`).join(', ');
  const table = flaws.map(({ file, line, outcome, rule }) => `| ${file} | ${line} | ${outcome} | ${rule} |`);
  return `
## ${folder}

${description}

Rows: ${rows}.

| file | line | outcome | what is wrong |
|---|---|---|---|
${table.join('\n')}
`;
}
