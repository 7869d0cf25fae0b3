// The abstract tests of OGC API - Features, Part 1, of the class OpenAPI 3.0: the definition is valid, and is kept.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../fixtures/host-process';
import { ogcService } from '../fixtures/ogc-service';

const ogc = ogcService();
interface Definition {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly responses: object; readonly security: readonly object[] } }>
  >;
}

async function definition(): Promise<Definition> {
  return (await ogc.get('/api')).json as Definition;
}

describe('ogcapi-features-1/1.0/conf/oas30', () => {
  test('/conf/oas30/oas-definition-1, /conf/oas30/oas-definition-2: the definition is valid OpenAPI 3.0', async () => {
    const { headers, text } = await ogc.get('/api');
    expect(headers['Content-Type']).toBe('application/vnd.oai.openapi+json;version=3.0');
    const file = join(ogc.service.folder, 'api.json');
    writeFileSync(file, text);
    const cli = join(PROJECT, 'tests', 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
    const environment = { PATH: process.env['PATH'], REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const options = { cwd: ogc.service.folder, env: environment };
    const args = [cli, 'lint', '--format=json', '--extends=spec', file];
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  });

  test('/conf/oas30/oas-impl, /conf/oas30/completeness: every path that is defined is there', async () => {
    const { paths } = await definition();
    for (const path of Object.keys(paths)) {
      const collection = /^\/collections\/([^/]+)\/items\//.exec(path)?.[1];
      const feature = collection === undefined ? '' : ((await ogc.features(collection))[0]?.id ?? '');
      const asked = path.replace('{featureId}', encodeURIComponent(feature)).replace(/\{tile.*$/, '0/0/0');
      const { status, headers } = await ogc.get(asked);
      expect([path, status]).toEqual([path, 200]);
      const content = paths[path]?.get.responses as { readonly 200: { readonly content: object } };
      expect(Object.keys(content[200].content)).toContain(headers['Content-Type']);
    }
  });

  test('/conf/oas30/exceptions-codes: every status of an error is defined', async () => {
    const { paths } = await definition();
    for (const id of ogc.ids) {
      const { responses = {} } = paths[`/collections/${id}/items`]?.get ?? {};
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '401', '404', '410', '429']));
      expect(Object.keys(responses)).toContain(String((await ogc.items(id, 'limit=0')).status));
      expect((await ogc.items(id, `DataVersion=${'0'.repeat(32)}`)).status).toBe(410);
      expect(Object.keys(responses)).toContain(String((await ogc.get(`/collections/${id}/items`, {})).status));
    }
  });

  test('/conf/oas30/security: what needs a key says so, and a key in each place is taken', async () => {
    const basic = `Basic ${Buffer.from(`${ogc.service.key}:`).toString('base64')}`;
    const { paths } = await definition();
    for (const id of ogc.ids) {
      const path = `/collections/${id}/items`;
      expect(paths[path]?.get.security).toEqual([{ KeyInHeader: [] }, { KeyInQuery: [] }, { KeyAsUser: [] }]);
      expect((await ogc.get(path, {})).status).toBe(401);
      expect((await ogc.get(path, { authorization: basic })).status).toBe(200);
      expect((await ogc.get(`${path}?key=${ogc.service.key}`, {})).status).toBe(200);
      expect([paths[`/collections/${id}`]?.get.security, (await ogc.get(`/collections/${id}`, {})).status]).toEqual([
        [],
        200,
      ]);
    }
  });
});
