// Questions of planners and journalists to the tools for assistants, as docs/assistants.md lists them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { readToolAnswer, scannedAnswers, type ToolArguments } from '../fixtures/assistant-scans';
import { PROJECT } from '../fixtures/host-process';
import { callTool, connectAssistant } from '../fixtures/mcp-client';
import { realSubmissions, WHOLE_DATA } from '../fixtures/real-submissions';
import { createTestService } from '../fixtures/test-service';

const { service, key, get, loadFolder } = createTestService();
let client: Client;

beforeAll(async () => {
  for (const { folder } of realSubmissions) await loadFolder(join(WHOLE_DATA, folder));
  client = await connectAssistant(service, key, '2026-07-28');
});

/** The path and the query of an address. */
const getTarget = (address: string): string => address.replace(/^https?:\/\/[^/]+/, '');

describe('a question of docs/assistants.md', () => {
  const rows = readFileSync(join(PROJECT, 'docs', 'assistants.md'), 'utf8')
    .split('\n')
    .map((line) => line.split(' |').map((cell) => cell.replace(/^\| */, '').trim()))
    .filter(([question]) => question?.endsWith('?'));

  test('has an answer that a plain scan of the files confirms', () => {
    expect(rows.map(([question]) => question).sort()).toEqual(Object.keys(scannedAnswers).sort());
  });

  test.each(rows)('%s', async (question = '', call = '', expectedAnswer = '', path = '') => {
    const [, tool = '', written = ''] = /^`(\w+)` `(.*)`$/.exec(call) ?? [];
    const sentArguments = JSON.parse(written) as ToolArguments;
    const result = await callTool(client, tool, { ...sentArguments });
    expect(result).toMatchObject({ isError: false });
    const scanned = scannedAnswers[question] ?? 'no scan';
    expect(readToolAnswer(result, tool, sentArguments, expectedAnswer)).toBe(scanned);
    const { address, licences } = result.structured;
    // The trimmed submissions have no records for some questions.
    expect(licences.length > 0 || result.structured.matched === 0).toBe(true);
    expect((await get(getTarget(address))).status).toBe(200);
    expect(path).toBe(`\`${getTarget(address).replace(/[?&]DataVersion=\w+/, '')}\``);
    // The document states the answer for the whole submissions.
    if (WHOLE_DATA.endsWith('data')) expect(`${expectedAnswer} `.startsWith(`${scanned} `)).toBe(true);
  });
});
