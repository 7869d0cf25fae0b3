// `npm run bench`: what the service costs, on generated data of a fixed seed, over HTTP from a server in its own process; beside
// each figure the floor, node:http sending as many bytes from memory in the same run.

import { fromCaller, parseArguments, runCommand, UsageError } from '../tools/command';
import { benchmark } from './measure/benchmark';
import { cosmosCost } from './cosmos-cost/cosmos-cost';
import { growth } from './growth/growth';
import { hostileBoundaries } from './measure/hostile-boundaries';
import { writeFigures } from './report/benchmark-report';
import { introduction, reportTables } from './report/report-tables';
import { consoleText, markdownText, type Table } from './report/table-text';

const USAGE = `Usage: npm run bench -- [--records N] [--soak-minutes M] [--json FILE] [--markdown] [--keep]
       npm run bench -- --growth [--records N] [--json FILE] [--markdown]
       npm run bench -- --boundaries [--markdown]
       npm run bench -- --cosmos-cost [--records N] [--submissions FOLDER] [--markdown]
  --records N       how many site amounts (default 100000); rights are 28 percent of it, aggregated amounts 3
  --soak-minutes M  at the end 32 clients for so long, with the memory of the server after each minute
  --json FILE       write all figures there
  --markdown        print the tables as docs/performance.md has them
  --keep            leave the loaded store for the next run of as many records, which then does not load
  --growth          measure a few costs at 10000, 100000 and so on up to N (default 1000000) site amounts alone, and draw
                    docs/growth.svg; sizes that FILE has from an earlier run are not measured again
  --boundaries      measure what hostile boundaries cost
  --cosmos-cost     what everything would cost on Azure Cosmos DB by its documented prices, at 10000 and so on up to N (default
                    100000) site amounts
  --submissions     a folder of other submissions to price, each in a folder of its own`;

void runCommand(async (args) => {
  const options = {
    records: { type: 'string' },
    'soak-minutes': { type: 'string', default: '0' },
    json: { type: 'string' },
    markdown: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    boundaries: { type: 'boolean', default: false },
    'cosmos-cost': { type: 'boolean', default: false },
    submissions: { type: 'string' },
  } as const;
  const { values } = parseArguments({ args: [...args], options }, USAGE);
  if (values.boundaries) {
    print([], [hostileBoundaries()], values.markdown);
    return 0;
  }
  if (values['cosmos-cost']) {
    const submissions = values.submissions === undefined ? undefined : fromCaller(values.submissions);
    const records = numberFrom(values.records ?? '100000', 10_000);
    print([], await cosmosCost({ records, submissions, log }), values.markdown);
    return 0;
  }
  const file = values.json === undefined ? undefined : fromCaller(values.json);
  if (values.growth) {
    print([], [await growth(numberFrom(values.records ?? '1000000', 10_000), file, log)], values.markdown);
    return 0;
  }
  const report = await benchmark({
    records: numberFrom(values.records ?? '100000', 1000),
    soakMinutes: numberFrom(values['soak-minutes'], 0),
    keeps: values.keep,
    log,
  });
  if (file !== undefined) writeFigures(file, report);
  print([introduction(report)], reportTables(report), values.markdown);
  return 0;
});

/** Beside the tables, which may be written to a file. */
function log(line: string): void {
  console.error(line);
}

function print(introductions: readonly string[], tables: readonly Table[], isMarkdown: boolean): void {
  const texts = tables.map(isMarkdown ? markdownText : consoleText);
  console.log([...introductions, ...texts].join(isMarkdown ? '\n\n' : '\n'));
}

function numberFrom(text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < least) throw new UsageError(USAGE);
  return value;
}
