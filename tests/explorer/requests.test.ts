// How the explorer asks the service, and what it makes of answers and refusals.

import * as fc from 'fast-check';
import { ServiceClient } from '../../explorer/requests/client';
import { downloadFile } from '../../explorer/requests/downloads';
import { readCsv } from '../../explorer/requests/operations';
import { sentenceOf, type Trouble } from '../../explorer/requests/reply';
import { FakeService, jsonAnswer } from '../fixtures/explorer-services';

const rights = { kind: 'rights', filters: { State: ['UT', 'CO'], AllocationOwner: ['A & B'] } } as const;

describe('a request', () => {
  const cases: readonly (readonly [number, object, Readonly<Record<string, string>>, Trouble])[] = [
    [401, {}, {}, { kind: 'key', fault: 'unknown' }],
    [401, { type: 'urn:water-data-query-service:problem:key-missing' }, {}, { kind: 'key', fault: 'missing' }],
    [401, { type: 'urn:water-data-query-service:problem:key-revoked' }, {}, { kind: 'key', fault: 'revoked' }],
    [401, { type: 'urn:water-data-query-service:problem:key-expired' }, {}, { kind: 'key', fault: 'expired' }],
    [
      429,
      {},
      { 'Retry-After': '7', Date: 'Fri, 02 Jan 2026 03:04:05 GMT' },
      { kind: 'limit', seconds: 7, until: Date.UTC(2026, 0, 2, 3, 4, 12) },
    ],
    [429, {}, { 'Retry-After': '7' }, { kind: 'limit', seconds: 7 }],
    [503, {}, { 'Retry-After': '2' }, { kind: 'busy', seconds: 2 }],
    [503, {}, {}, { kind: 'busy', seconds: 5 }],
    [410, {}, {}, { kind: 'gone' }],
    [500, {}, { 'X-Request-Id': 'id-1' }, { kind: 'failed', status: 500, requestId: 'id-1' }],
    [400, { detail: 'Too many.' }, {}, { kind: 'refused', reasons: ['Too many.'] }],
    [
      400,
      { errors: [{ parameter: 'HUC8', message: 'must be exactly 8 digits', value: '1' }] },
      {},
      { kind: 'refused', reasons: ['HUC8 must be exactly 8 digits (it was “1”).'] },
    ],
  ];

  test.each(cases)('that is answered %d says what to do', async (status, body, headers, trouble) => {
    const client = new ServiceClient('', () => '', new FakeService().answer(jsonAnswer(body, status, headers)).send);
    const reply = await client.askJson('v1/Inventory', []);
    expect(reply).toEqual(trouble);
    expect(sentenceOf(trouble).length).toBeGreaterThan(8);
  });

  test('that does not come through says so', async () => {
    const client = new ServiceClient('', () => '', new FakeService().send);
    expect(await client.askJson('v1/Inventory', [])).toEqual({ kind: 'unreachable' });
  });

  test('for a GeoJSON file puts pages of one data version together', async () => {
    const page = (name: string) =>
      jsonAnswer({ features: [{ name }] }, 200, { 'X-Total-Count': '10001', 'Data-Version': 'v1' });
    const service = new FakeService().answer(page('a'), page('b'));
    const client = new ServiceClient('', () => '', service.send);
    const reply = await downloadFile(client, { ...rights, order: '' }, 'geojson', () => undefined);
    if (reply.kind !== 'answer') throw new Error(reply.kind);
    expect(JSON.parse(await reply.value.text())).toEqual({
      type: 'FeatureCollection',
      features: [{ name: 'a' }, { name: 'b' }],
    });
    expect(service.sent[1]?.url).toContain('DataVersion=v1&StartIndex=10000');
  });
});

test('CSV is read as it is written, whatever stands in the cells', () => {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '|') });
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (rows) => {
      const text = rows.map((row) => `${row.map(quoted).join()}\r\n`).join('');
      expect(readCsv(text)).toEqual(rows);
    }),
  );
});
