// `npm run bench`: measures the service over HTTP on generated data with a fixed seed. The server runs in its own
// process. Next to each figure is the floor: the time that node:http takes to send the same number of bytes from memory
// in the same run.

import { resolveFromCaller, runCommand, UsageError } from '../tools/command';
import { cosmosCost } from './cosmos-cost/cosmos-cost';
import { totalsComparison } from './engines/totals-comparison';
import { exportsTable } from './exports';
import { generateSubmissions } from './generate/submissions';
import { hostileBoundaries } from './hostile-boundaries';
import { loadingComparison } from './loading-comparison';
import { benchmark, writeFigures } from './measure/benchmark';
import { installPackages } from './measure/packages';
import { ogcApi } from './ogc-api';
import { reportTables, writeIntroduction } from './report/report-tables';
import { formatAsMarkdown, formatForConsole, type Table } from './report/table-text';

const USAGE = `Usage: npm run bench -- [--records N] [--soak-minutes M] [--json FILE] [--markdown] [--keep]
       npm run bench -- --boundaries [--markdown]
       npm run bench -- --totals [--records N] [--python PROGRAM] [--markdown]
       npm run bench -- --ogc [--records N] [--markdown]
       npm run bench -- --exports [--records N] [--markdown]
       npm run bench -- --loading [--records N] [--markdown]
       npm run bench -- --cosmos-cost [--records N] [--submissions FOLDER] [--markdown]
       npm run bench -- --generate FOLDER [--records N] [--seed S]
  --records N       how many site amounts (default 100000); rights are 28 percent of it, aggregated amounts 3
  --soak-minutes M  at the end 32 clients for so long, with the memory of the server after each minute
  --json FILE       write all figures there
  --markdown        print the tables as docs/performance.md has them
  --keep            leave the loaded store for the next run of as many records, which then does not load
  --boundaries      measure what hostile boundaries cost
  --totals          measure totals, facets and orders of N site amounts, beside DuckDB
  --ogc             measure items, CQL2 filters, tiles and descriptions under /ogc; its store is that of the first
                    form with --keep, and stays
  --python PROGRAM  a Python that has the package duckdb (default python3)
  --exports         measure the files of a release, and exports over HTTP, of N (default 1000000) site amounts and of rights
  --loading         load the submissions of the first form with this program and with the last release in CHANGELOG.md
  --cosmos-cost     what everything would cost on Azure Cosmos DB by its documented prices, at 10000 and so on up to N
                    (default 100000) site amounts
  --submissions     a folder of other submissions to price, each in a folder of its own
  --generate        write the generated submissions there, to look at or to load, and measure nothing`;

const OPTIONS = {
  records: { type: 'string' },
  'soak-minutes': { type: 'string', default: '0' },
  json: { type: 'string' },
  markdown: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  boundaries: { type: 'boolean', default: false },
  'cosmos-cost': { type: 'boolean', default: false },
  totals: { type: 'boolean', default: false },
  ogc: { type: 'boolean', default: false },
  exports: { type: 'boolean', default: false },
  loading: { type: 'boolean', default: false },
  python: { type: 'string', default: 'python3' },
  submissions: { type: 'string' },
  generate: { type: 'string' },
  seed: { type: 'string', default: '1' },
} as const;

void runCommand({ usage: USAGE, options: OPTIONS, maxOperands: 0 }, async ({ values }) => {
  const file = values.json === undefined ? undefined : resolveFromCaller(values.json);
  const recordsFrom = (text: string, min: number): number => numberFrom(values.records ?? text, min);
  if (values.generate !== undefined) {
    await generate(resolveFromCaller(values.generate), recordsFrom('100000', 1), numberFrom(values.seed, 0));
  } else if (values.boundaries) {
    print([], [hostileBoundaries()], values.markdown);
  } else if (values.totals) {
    print([], await totalsComparison(recordsFrom('1000000', 1000), values.python, log), values.markdown);
  } else if (values.ogc) {
    print([], await ogcApi(recordsFrom('1000000', 1000), log), values.markdown);
  } else if (values.exports) {
    print([], [await exportsTable(recordsFrom('1000000', 1000), log)], values.markdown);
  } else if (values.loading) {
    print([], [await loadingComparison(recordsFrom('100000', 1000), log)], values.markdown);
  } else if (values['cosmos-cost']) {
    const submissions = values.submissions === undefined ? undefined : resolveFromCaller(values.submissions);
    print([], await cosmosCost({ records: recordsFrom('100000', 10_000), submissions, log }), values.markdown);
  } else {
    const records = recordsFrom('100000', 1000);
    const soakMinutes = numberFrom(values['soak-minutes'], 0);
    installPackages(log);
    const report = await benchmark({ records, soakMinutes, keepStore: values.keep, log });
    if (file !== undefined) writeFigures(file, report);
    print([writeIntroduction(report)], reportTables(report), values.markdown);
  }
  return 0;
});

async function generate(folder: string, records: number, seed: number): Promise<void> {
  for (const { folder: path, kind, rows, bytes } of await generateSubmissions(folder, records, seed)) {
    console.log(`${path}: ${rows} rows of ${kind}, ${Math.round(bytes / 1e6)} MB in all files`);
  }
}

/** Logs to stderr, because the tables on stdout may be written to a file. */
function log(line: string): void {
  console.error(line);
}

function print(introductions: readonly string[], tables: readonly Table[], isMarkdown: boolean): void {
  const texts = tables.map(isMarkdown ? formatAsMarkdown : formatForConsole);
  console.log([...introductions, ...texts].join(isMarkdown ? '\n\n' : '\n'));
}

function numberFrom(text: string, min: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < min) throw new UsageError(USAGE);
  return value;
}
