// Walks through all pages of a search, or of totals over it, and writes what it finds as CSV, one row for each. Needs Node 18
// or newer and nothing else.
//
//   WATER_KEY=... node walk.mjs "http://127.0.0.1:7071/v1/SiteVariableAmounts?State=UT" records.csv
//   WATER_KEY=... node walk.mjs "http://127.0.0.1:7071/v1/SiteVariableAmounts/Totals?GroupBy=County&GroupBy=Year" totals.csv
//
// Lists within a record, such as its uses, are written as JSON.

import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const TRIES = 5;
const SECONDS_TO_WAIT = 2;

async function main([address, file]) {
  const key = process.env.WATER_KEY;
  if (!key || !file) throw new Error('Usage: WATER_KEY=... node walk.mjs ADDRESS FILE');
  const rows = [];
  for await (const page of walk(address, key)) {
    rows.push(...rowsOf(page));
    console.error(`${rows.length} of ${totalOf(page)} rows`);
  }
  writeFileSync(file, csvText(rows));
}

/** Yields the pages, all of the first page's version of the data. */
async function* walk(address, key) {
  for (let next = new URL(address); next !== undefined;) {
    const answer = await ask(next, key);
    const page = await answer.json();
    yield page;
    next = nextAddress(next, answer, page);
  }
}

/** The link to the next page, or its computed address for a long query, which has no link; undefined at the end. */
function nextAddress(address, { headers }, page) {
  const link = /<([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  if (link !== undefined) return new URL(link, address);
  const count = rowsOf(page).length;
  const start = Number(address.searchParams.get('StartIndex') ?? 0) + count;
  if (count === 0 || start >= totalOf(page)) return undefined;
  const next = new URL(address);
  next.searchParams.set('StartIndex', start);
  next.searchParams.set('DataVersion', headers.get('Data-Version'));
  return next;
}

/** Fetches one answer; waits and tries again while the service is busy. */
async function ask(address, key) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(address, { headers: { 'X-API-Key': key } });
    if (answer.ok && answer.headers.has('Data-Version')) return answer;
    if (![429, 503].includes(answer.status) || attempt === TRIES) throw new Error(await sentenceOf(answer));
    await wait(1000 * secondsToWait(answer.headers.get('Retry-After') ?? ''));
  }
}

/** Parses Retry-After, which contains seconds or a date; a proxy may write anything else. */
function secondsToWait(text) {
  if (/^\d+$/.test(text.trim())) return Number(text);
  const seconds = (Date.parse(text) - Date.now()) / 1000;
  return seconds > SECONDS_TO_WAIT ? seconds : SECONDS_TO_WAIT;
}

/** The message of an error, including everything that is wrong with the parameters. */
async function sentenceOf(answer) {
  const text = await answer.text();
  const problem = readProblem(text);
  if (problem === undefined) {
    const said = text.replace(/\s+/g, ' ').slice(0, 200);
    const { host } = new URL(answer.url);
    return `HTTP ${answer.status} from ${host}, but not from the service: a proxy may be in between. ${said}`;
  }
  const errors = (problem.errors ?? []).map(
    ({ parameter, message, value }) => `  ${parameter} ${message} (found: ${value})`,
  );
  return [`HTTP ${answer.status}: ${problem.title}. ${problem.detail}`, ...errors].join('\n');
}

/** The problem document of the service; undefined for an answer of another server. */
function readProblem(text) {
  try {
    const problem = JSON.parse(text);
    return problem?.title === undefined || problem.detail === undefined ? undefined : problem;
  } catch {
    return undefined;
  }
}

function rowsOf(page) {
  const { Organizations, Totals } = page;
  if (Totals !== undefined) return Totals;
  const list = listOf(page);
  return Organizations.flatMap((organization) => {
    const { OrganizationUUID, OrganizationName } = organization;
    return organization[list].map((record) => ({ OrganizationUUID, OrganizationName, ...record }));
  });
}

/** The name of the list with the records or places: TotalSitesCount counts the items of the lists Sites. */
function listOf(page) {
  const count = Object.keys(page).find((name) => name.startsWith('Total'));
  return count.slice('Total'.length, -'Count'.length);
}

function totalOf(page) {
  return Object.entries(page).find(([name]) => name.startsWith('Total'))[1];
}

function csvText(rows) {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');
}

function cellText(value) {
  const text = Array.isArray(value) ? JSON.stringify(value) : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
