// Forty questions of planners and journalists, as docs/assistants.md lists them: each answer is what a scan of the
// submitted files says, and is found again at its address (D67).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { questions } from '../fixtures/assistant-questions';
import { PROJECT } from '../fixtures/host-process';
import { callTool, connect } from '../fixtures/mcp-client';
import { REAL_DATA, realSubmissions } from '../fixtures/real-submissions';
import { createTestService } from '../fixtures/test-service';

const { service, key, get, loadFolder } = createTestService();
let client: Client | undefined;

beforeAll(async () => {
  for (const { folder } of realSubmissions) await loadFolder(join(REAL_DATA, folder));
  client = await connect(service, key);
});

/** The cells of the table, by question. */
const documented = new Map(
  readFileSync(join(PROJECT, 'docs', 'assistants.md'), 'utf8')
    .split('\n')
    .map((line) => line.split(' |').map((cell) => cell.replace(/^\| */, '').trim()))
    .map(([question = '', ...cells]) => [question, cells]),
);

test('there are forty of them', () => {
  expect(questions).toHaveLength(40);
});

test.each(questions.map((one) => [one.question, one] as const))('%s', async (_, one) => {
  if (client === undefined) throw new Error('not connected');
  const result = await callTool(client, one.tool, one.given);
  expect(result).toMatchObject({ isError: false });
  const scanned = one.scanned();
  expect(one.answer(result)).toBe(scanned);
  const { address, licences } = result.structured;
  expect(licences.length).toBeGreaterThan(0);
  const again = await get(address.replace(/^https?:\/\/[^/]+/, ''));
  expect(again.status).toBe(200);
  const [call, told, path] = documented.get(one.question) ?? [];
  expect(call).toBe(`\`${one.tool}\` \`${JSON.stringify(one.given)}\``);
  expect(path).toBe(`\`${address.replace(/^https?:\/\/[^/]+/, '').replace(/[?&]DataVersion=\w+/, '')}\``);
  // The document tells what the whole submissions say.
  if (told !== undefined && REAL_DATA.endsWith('data')) expect(told).toBe(`${scanned} ${one.unit}`.trim());
});
