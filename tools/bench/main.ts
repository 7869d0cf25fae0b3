// `npm run bench`: what the service costs, on generated data of a fixed seed, over HTTP from a server in its own process; beside
// each figure the floor, node:http sending as many bytes from memory in the same run.

import { writeFileSync } from 'node:fs';
import { fromCaller, parseArguments, runCommand, UsageError } from '../command';
import { benchmark } from './benchmark';
import { introduction, reportTables } from './report/report-tables';
import { consoleText, markdownText } from './report/table-text';

const USAGE = `Usage: npm run bench -- [--records N] [--soak-minutes M] [--json FILE] [--markdown] [--keep]
  --records N       how many site amounts; rights are 28 percent of it, aggregated amounts 3 (default 100000)
  --soak-minutes M  at the end 32 clients for so long, with the memory of the server after each minute
  --json FILE       write all figures there
  --markdown        print the tables as docs/performance.md has them
  --keep            leave the loaded store for the next run of as many records, which then does not load`;

void runCommand(async (args) => {
  const options = {
    records: { type: 'string', default: '100000' },
    'soak-minutes': { type: 'string', default: '0' },
    json: { type: 'string' },
    markdown: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  } as const;
  const { values } = parseArguments({ args: [...args], options }, USAGE);
  const report = await benchmark({
    records: numberFrom(values.records, 1000),
    soakMinutes: numberFrom(values['soak-minutes'], 0),
    keeps: values.keep,
    log: (line) => {
      console.error(line);
    },
  });
  if (values.json !== undefined) writeFileSync(fromCaller(values.json), `${JSON.stringify(report, null, 2)}\n`);
  const tables = reportTables(report).map(values.markdown ? markdownText : consoleText);
  console.log([introduction(report), ...tables].join(values.markdown ? '\n\n' : '\n'));
  return 0;
});

function numberFrom(text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < least) throw new UsageError(USAGE);
  return value;
}
