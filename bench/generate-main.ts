// Writes big submissions to look at or to load: node dist/bench/generate-main.js FOLDER RECORDS [SEED]

import { generateSubmissions } from './generate/submissions';

async function main(): Promise<void> {
  const [folder, records = '', seed = '1'] = process.argv.slice(2);
  if (folder === undefined || !/^[1-9]\d*$/.test(records) || !/^\d+$/.test(seed)) {
    process.stderr.write('Usage: node dist/bench/generate-main.js FOLDER RECORDS [SEED]\n');
    process.exitCode = 2;
    return;
  }
  const started = performance.now();
  const submissions = await generateSubmissions(folder, Number(records), Number(seed));
  const seconds = (performance.now() - started) / 1000;
  for (const { folder: written, kind, rows, bytes } of submissions) {
    process.stdout.write(`${written}: ${rows} rows of ${kind}, ${Math.round(bytes / 1e6)} MB in all files\n`);
  }
  const rows = submissions.reduce((sum, submission) => sum + submission.rows, 0);
  process.stdout.write(`${seconds.toFixed(1)} seconds, ${Math.round(rows / seconds)} rows a second\n`);
}

void main();
