// The landing page, the documentation page, the page for submitters (D66), the explorer's page, and their files, as
// handlers answer them.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { rules } from '../../data-loaders/format/rules';
import { submissionFiles } from '../../data-loaders/format/submission-files';
import { loadSamples } from '../../host/load-samples';
import { readExplorerFiles } from '../../shared/http/pages/explorer-files';
import { listTemplateFiles } from '../../shared/http/pages/submit-page';
import type { Service } from '../../shared/http/pipeline/service';
import { readPlainCsv } from '../fixtures/plain-csv';
import { loadRawFiles } from '../fixtures/raw-submission';
import { siteAmountsSubmission } from '../fixtures/submission';
import { type Answer, createTestService } from '../fixtures/test-service';

const samples = createTestService();
const service = createTestService();
const emptyService = createTestService();

beforeAll(() => loadSamples(samples.store, { stagingDirectory: join(samples.folder, 'staging') }));

const get = (path: string, headers = {}, from = samples): Promise<Answer> => from.get(path, headers);

/** The addresses on this service that a page loads or links to. */
function addresses({ text }: Answer): readonly string[] {
  return [...text.matchAll(/(?:src|href|action)="(\/[^"]*)"/g)].map(([, address = '']) =>
    address.replaceAll('&#38;', '&'),
  );
}

test('a page of features shows how many match and how many it lists', async () => {
  const { text } = await get('/ogc/collections/site-amounts/items?f=html', { 'x-api-key': samples.key });
  expect(text).toContain('features match; 1,000 are on this page.');
});

test.each(['/', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/openapi.json'])(
  '%s is sent compressed to clients that accept it, with its own tag',
  async (path) => {
    const plain = await get(path);
    for (let time = 0; time < 2; time++) {
      const coded = await get(path, { 'accept-encoding': 'br, gzip' });
      expect(coded.headers).toMatchObject({ 'Content-Encoding': 'br', Vary: 'Accept-Encoding' });
      expect(brotliDecompressSync(coded.bytes).toString()).toBe(plain.text);
      expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(coded.headers['ETag']).not.toBe(plain.headers['ETag']);
      const again = { 'accept-encoding': 'br', 'if-none-match': coded.headers['ETag'] };
      expect((await get(path, again)).status).toBe(304);
    }
    expect(plain.headers['Content-Encoding']).toBeUndefined();
  },
);

describe.each(['/', '/docs', '/docs/', '/docs/data', '/docs/submitting', '/submit'])('%s', (path) => {
  test('needs no key and may not be framed', async () => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(text).toMatch(/^<!doctype html>/);
    expect(headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    });
    const policy = headers['Content-Security-Policy'];
    for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toContain('unsafe');
  });

  test('has no key, inline script or inline style, and loads nothing from other hosts', async () => {
    const { text } = await get(path);
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:/);
    expect(text.match(/(?:src|href|action)="(?!\/|#)[^"]*"/g)).toBeNull();
    expect(text).not.toMatch(/wdk_/);
  });

  test('has only links that work', async () => {
    const found = addresses(await get(path));
    expect(found.length).toBeGreaterThan(5);
    for (const address of found) {
      const { status } = await get(address, { 'x-api-key': samples.key });
      expect({ address, status }).toEqual({ address, status: 200 });
    }
  });
});

describe('the landing page', () => {
  test('lists organizations with their counts, and marks samples', async () => {
    const { text } = await get('/');
    const { version, entries } = await samples.store.currentState();
    expect(text).toContain(version);
    expect(text).toContain('Sample data.');
    for (const state of ['Colorado', 'Idaho', 'New Mexico', 'Utah', 'Wyoming']) {
      expect(text).toContain(`Sample Water Agency of ${state}`);
    }
    expect(entries.length).toBeGreaterThan(5);
    for (const { records } of entries) expect(text).toContain(`>${records.toLocaleString('en-US')}`);
  });

  test('links to an answer with records for each operation', async () => {
    const paths = addresses(await get('/')).filter((address) => address.includes('RecordCount='));
    // Three links for records and three for their places.
    expect(paths).toHaveLength(6);
    for (const path of paths) {
      const { status, json } = await get(path, { 'x-api-key': samples.key });
      expect(status).toBe(200);
      expect(json.Organizations).not.toEqual([]);
    }
  });

  test('links to the explorer for exactly the kinds that have records', async () => {
    const paths = addresses(await get('/')).filter((address) => address.includes('/explore'));
    for (const part of ['kind=series', 'kind=aggregates', 'order=AllocationPriorityDate']) {
      expect(paths.some((path) => path.includes(part))).toBe(true);
    }
    const alone = addresses(await get('/', {}, service)).filter((address) => address.includes('/explore?'));
    expect(alone.filter((path) => !path.includes('kind=series'))).toEqual([]);
  });

  test('shows a publish at the next request, and says if nothing is published', async () => {
    expect((await get('/', {}, service)).text).toContain('Nothing is published yet');
    await service.load({
      ...siteAmountsSubmission,
      'organizations.csv': [{ OrganizationUUID: 'ORG_1', OrganizationName: '<b>"Water" & \'Power\'</b>', State: 'UT' }],
    });
    const { text } = await get('/', {}, service);
    expect(text).toContain('&#60;b&#62;&#34;Water&#34; &#38; &#39;Power&#39;&#60;/b&#62;');
    expect(text).toContain('2000–2002');
    expect(text).not.toContain('Sample data.');
  });

  test('mentions the development key only if there is one', async () => {
    const text = async (developmentKey: string | undefined): Promise<string> =>
      (await samples.getFrom({ ...samples.service, developmentKey }, '/', {})).text;
    expect(await text(samples.key)).toContain('development key');
    expect(await text(undefined)).not.toContain('development key');
  });
});

describe('the files of the pages', () => {
  test('may be cached forever only if their address contains the digest of their content', async () => {
    const [address = ''] = addresses(await get('/docs')).filter((one) => one.includes('.js?v='));
    expect((await get(address)).headers['Cache-Control']).toBe('public, max-age=31536000, immutable');
    for (const other of [address.replace(/\?.*/, ''), address.replace(/v=.*/, 'v=')]) {
      expect((await get(other)).headers['Cache-Control']).toBe('public, no-cache');
    }
    expect((await get(address.replace(/v=.*/, 'v=0'))).headers['Cache-Control']).toBe('public, no-cache');
  });

  test.each([
    ['pages.css', 'text/css; charset=utf-8'],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
    ['examples/walk.py', 'text/plain; charset=utf-8'],
  ])('%s is %s', async (name, type) => {
    expect(await get(`/docs/${name}`)).toMatchObject({ status: 200, headers: { 'Content-Type': type } });
  });

  test.each([
    '/docs/nothing.js',
    '/docs/..%2fpackage.json',
    '/docs/..%5cpackage.json',
    '/docs/%2e%2e/package.json',
    '/docs/....//package.json',
    '/docs/%00',
    '/docs/constructor',
    '/docs/__proto__',
    '/docs/examples',
    '/docs/shared/http/pages/files/pages.css',
    '/docsx',
    '/docs//etc/passwd',
    '/submit/empty/overlays.csv',
    '/submit/__proto__',
  ])('%s is a 404', async (path) => {
    expect((await get(path)).status).toBe(404);
    expect((await get(path, {}, samples)).headers['Content-Type']).toBe('application/problem+json');
  });
});

describe('a person', () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test.each([
    '/nothing',
    '/docs/nothing',
    '/explore/x',
    '/v1/Nothing',
    '/ogc/nothing',
    '/ogc/collections/sites/items/x',
  ])('sees a page with working links if there is nothing at %s', async (path) => {
    const answer = await get(path, { accept });
    expect(answer).toMatchObject({
      status: 404,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': expect.stringContaining("style-src 'self'"),
        Vary: expect.stringContaining('Accept'),
      },
    });
    for (const address of addresses(answer)) expect([address, (await get(address)).status]).toEqual([address, 200]);
  });

  test('sees the unknown path as text', async () => {
    const { text } = await get('/%3Cscript%3Ealert(1)%3C/script%3E&<b>', { accept });
    expect(text).not.toMatch(/<script>alert|<b>/);
  });

  test.each(['allocations/items', 'allocations/tiles/WebMercatorQuad/0/0/0', 'site-amounts/items'])(
    'gets no log-in window for %s without a key',
    async (resource) => {
      const path = `/ogc/collections/${resource}`;
      const { status, headers, text } = await get(path, { accept });
      expect([status, headers['WWW-Authenticate']]).toEqual([401, expect.stringMatching(/^ApiKey /)]);
      expect(text).toMatch(/^<!doctype html>/);
      expect((await get(path, { accept: '*/*' })).headers['WWW-Authenticate']).toMatch(/^Basic /);
      const asJson = await get(`${path}?f=json`, { accept });
      expect(asJson.headers['Content-Type']).toBe('application/problem+json');
    },
  );
});

describe('with a public address', () => {
  const at = (path: string): Promise<Answer> =>
    samples.getFrom({ ...samples.service, publicUrl: 'https://water.example.org/api' }, path, {});

  test('the address is the server in /openapi.json', async () => {
    expect((await at('/openapi.json')).json.servers).toEqual([{ url: 'https://water.example.org/api' }]);
    expect((await get('/openapi.json')).json.servers).toMatchObject([{ url: '/' }]);
  });

  test('the address is the prefix of links, and the page for trying operations may send requests to it', async () => {
    expect(addresses(await at('/docs')).filter((address) => !address.startsWith('/api/'))).toEqual([]);
    expect((await at('/docs')).headers['Content-Security-Policy']).toContain(
      "connect-src 'self' https://water.example.org;",
    );
  });
});

describe('the page at /submit and its templates', () => {
  const service = createTestService();

  async function pageWith(submitting: Service['intake']): Promise<string> {
    return (await service.getFrom({ ...service.service, intake: submitting }, '/submit', {})).text;
  }

  test.each(submissionFiles.map((file) => [file.name, file] as const))(
    '%s is available empty and filled in, with every column of the format',
    async (name, { columns }) => {
      for (const [folder, isFilled] of [
        ['empty', false],
        ['example', true],
      ] as const) {
        const answer = await service.get(`/submit/${folder}/${name}`, {});
        expect(answer).toMatchObject({ status: 200, headers: { 'Content-Type': 'text/csv; charset=utf-8' } });
        const { header, rows } = readPlainCsv(Buffer.from(answer.bytes));
        expect(header.cells).toEqual(Object.keys(columns));
        expect(rows.length > 0).toBe(isFilled);
      }
    },
  );

  test('the filled example loads without findings, and changes nothing the second time', async () => {
    const folder = mkdtempSync(join(service.folder, 'templates-'));
    for (const [path, text] of listTemplateFiles()) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const report = await service.loadFolder(join(folder, 'example'), { holdSubmissions: true, rejectedShareLimit: 0 });
    expect(report).toMatchObject({ verdict: 'published', notes: [] });
    expect(report.dataSets.map(({ records, qualityWarnings }) => [records, qualityWarnings])).toEqual([
      [2, []],
      [1, []],
      [2, []],
    ]);
    for (const { accepted, reasons } of report.files) expect([accepted > 0, reasons]).toEqual([true, {}]);
    expect((await service.loadFolder(join(folder, 'example'))).verdict).toBe('unchanged');
  });

  test('the guide contains no markers of its generated parts', async () => {
    const guide = await service.get('/submit/guide.md', {});
    expect(guide).toMatchObject({ status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
    expect(guide.text).toMatch(/^# Submitting data\n/);
    expect(guide.text).not.toContain('<!--');
    expect(guide.text).toContain('\n### other-system\n');
  });

  test('the guide is a page that explains every column of every file, and every rule', async () => {
    const { text } = await service.get('/docs/submitting', {});
    const rows = new Set(Array.from(text.matchAll(/<tr>(.*?)<\/tr>/gs), ([, row = '']) => row.replaceAll(/\s+/g, ' ')));
    for (const { name, columns } of submissionFiles) {
      expect(text).toContain(`id="${name.replace('.', '')}"`);
      for (const column of Object.keys(columns)) {
        const explained = [...rows].filter((row) => row.includes(`<td><code>${column}</code></td> <td>`));
        expect({ column, explained: explained.some((row) => /<\/td> <td>[A-Z][^<]+\.<\/td>/.test(row)) }).toEqual({
          column,
          explained: true,
        });
      }
    }
    for (const rule of Object.keys(rules)) expect(text).toContain(`id="${rule}"`);
  });

  test('headings and tables of the guide contain their content', async () => {
    const { text } = await service.get('/docs/submitting', {});
    expect(text).toMatch(/<h2 id="send-your-data">Send your data<\/h2>/);
    const tables = Array.from(text.matchAll(/<table>(.*?)<\/table>/gs), ([, table = '']) => table);
    expect(tables.length).toBeGreaterThan(10);
    for (const table of tables) expect(table).toMatch(/^\s*<thead>.*<th scope="col">.*<\/thead>\s*<tbody>.*<td>/s);
    expect(text).toMatch(/<pre tabindex="0"><code>OrganizationUUID,OrganizationName,State\n/);
  });

  test('links within the guide lead to its headings, and no Markdown syntax is left', async () => {
    const { text } = await service.get('/docs/submitting', {});
    const targets = Array.from(text.matchAll(/href="#([^"]+)"/g), ([, id = '']) => id);
    expect(targets.length).toBeGreaterThan(20);
    expect(targets.filter((id) => id !== 'content' && !text.includes(`id="${id}"`))).toEqual([]);
    expect(text).not.toMatch(/&#60;!--|<!-- |\]\(/);
  });

  test("the guide's example of a spreadsheet loads unchanged", async () => {
    const guide = (await service.get('/submit/guide.md', {})).text;
    const files = Array.from(guide.matchAll(/^```csv (\S+)\n([^]*?)^```$/gm), ([, name = '', text = '']) => [
      name,
      text,
    ]);
    expect(files.length).toBeGreaterThan(3);
    const report = await loadRawFiles(emptyService, {}, Object.fromEntries(files), { holdSubmissions: true });
    expect(report).toMatchObject({ verdict: 'published', notes: [] });
    expect(report.findings.filter(({ rule }) => rule !== 'absent-column')).toEqual([]);
  });

  test('the page explains how to submit: as the operator says, through the inbox, or by asking the operator', async () => {
    const asked = await pageWith({ instructions: 'Write to data@example.org & wait.', inbox: 'folder' });
    expect(asked).toContain('<p>Write to data@example.org &#38; wait.</p>');
    expect(asked).not.toContain('inbox');
    expect(await pageWith({ instructions: 'https://example.org/drop', inbox: undefined })).toContain(
      '<a href="https://example.org/drop" rel="noopener">',
    );
    expect(await pageWith({ instructions: '', inbox: 'folder' })).toContain('has an inbox, a shared folder');
    expect(await pageWith({ instructions: '', inbox: 'account' })).toContain('has an inbox, a storage container');
    expect(await pageWith({ instructions: '', inbox: undefined })).toContain(
      'the operator of this service, who loads it',
    );
  });
});

describe('the explorer', () => {
  /**
   * In bytes, compressed: the maximum that a page loads before a map is needed, before the first picture of a map, and
   * after it. Rivers and towns are loaded after the first picture, and borders of counties when a person zooms in.
   */
  const BEFORE_THE_MAP = 150 * 1024;
  const BEFORE_ITS_PICTURE = 400 * 1024;
  const AFTER_IT = { nature: 110 * 1024 };
  /** The maximum for the counties of a state, and for its rivers and lakes; a view loads the files of a few states. */
  const OF_A_STATE = { counties: 16 * 1024, water: 32 * 1024 };
  /** The maximum for the program and the styles of the page of briefs, which loads none of the explorer's files. */
  const BRIEF = 40 * 1024;

  const service = createTestService();

  test('the page needs no key, contains none, and loads only our own files', async () => {
    const { status, headers, text } = await service.get('/explore', {});
    expect(status).toBe(200);
    expect(headers['Content-Security-Policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; worker-src 'self'",
    );
    expect(text).not.toContain(service.key);
    expect(text.match(/(?:src|href)="(?!\/|#)[^"]*"/g)).toBeNull();
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
    const files = [...text.matchAll(/"(\/explore\/[^"]+)"/g)].map(([, address = '']) => address);
    expect(new Set(files).size).toBe(9);
    for (const template of files) {
      const address = template.replace('{state}', 'UT');
      const answer = await service.get(address, {});
      expect({ address, status: answer.status }).toEqual({ address, status: 200 });
      expect(answer.headers['Cache-Control']).toBe('public, max-age=31536000, immutable');
    }
  });

  test.each(['/explore/brief', '/explore/brief/', '/Explore/Brief?SearchBoundary=county:UT/Cache'])(
    'the page of briefs at %s needs no key, contains none, and loads its own files',
    async (path) => {
      const { status, headers, text } = await service.get(path, {});
      expect(status).toBe(200);
      expect(headers['Content-Security-Policy']).toContain("connect-src 'self'");
      expect(text).not.toContain(service.key);
      expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
      const files = [...text.matchAll(/"(\/explore\/[^"]+)"/g)].map(([, address = '']) => address);
      const names = files.map((address) => address.replace(/^\/explore\/([a-z]+)-.*(\.[a-z]+)$/, '$1$2'));
      expect(names).toEqual(['brief.css', 'brief.js', 'counties.json']);
      for (const address of files) expect((await service.get(address.replace('{state}', 'UT'), {})).status).toBe(200);
    },
  );

  test('BASEMAP_TILES is the only other host, and its attribution is shown', async () => {
    const basemap = { tiles: 'https://tiles.example.org/{z}/{x}/{y}.png', attribution: '© "Example" <maps>' };
    const { headers, text } = await service.getFrom({ ...service.service, basemap }, '/explore', {});
    const policy = headers['Content-Security-Policy'] ?? '';
    expect(policy).toContain("img-src 'self' data: blob: https://tiles.example.org;");
    expect(policy).toContain("connect-src 'self' https://tiles.example.org;");
    expect(policy).toContain("script-src 'self';");
    expect(text).toContain('data-attribution="© &#34;Example&#34; &#60;maps&#62;"');
  });

  test('the files were compressed by the build and are small enough', async () => {
    const sizes = new Map<string, number>();
    for (const [part, name] of Object.entries(readExplorerFiles() ?? {})) {
      const coded = await service.get(`/explore/${name}`, { 'accept-encoding': 'br' });
      expect(coded.headers['Content-Encoding']).toBe('br');
      expect(brotliDecompressSync(coded.bytes).toString()).toBe((await service.get(`/explore/${name}`, {})).text);
      sizes.set(part, coded.bytes.length);
    }
    const sum = (parts: readonly string[]): number => parts.reduce((bytes, part) => bytes + (sizes.get(part) ?? 0), 0);
    expect(sum(['program', 'style'])).toBeLessThan(BEFORE_THE_MAP);
    const isOfAState = (part: string): boolean => /^(?:counties|water)-[A-Z]{2}$/.test(part);
    const isBrief = (part: string): boolean => part.startsWith('brief');
    const before = [...sizes.keys()].filter((part) => !(part in AFTER_IT) && !isOfAState(part) && !isBrief(part));
    expect(sum([...sizes.keys()].filter(isBrief))).toBeLessThan(BRIEF);
    expect(sum(before)).toBeLessThan(BEFORE_ITS_PICTURE);
    for (const [name, most] of Object.entries(OF_A_STATE)) {
      const ofStates = [...sizes.keys()].filter((part) => part.startsWith(`${name}-`));
      expect(ofStates).toContain(`${name}-UT`);
      for (const part of ofStates) expect({ part, isSmall: sum([part]) < most }).toEqual({ part, isSmall: true });
    }
    for (const [part, most] of Object.entries(AFTER_IT)) expect(sum([part])).toBeLessThan(most);
  });

  test('the page loads one program and one style sheet, with or without a map', async () => {
    const listLoaded = async (query: string): Promise<readonly string[]> =>
      [
        ...(await service.get(`/explore${query}`, {})).text.matchAll(
          /<(?:script|link)[^>]*"\/explore\/([a-z]+)-[^"]+"/g,
        ),
      ].map(([, name = '']) => name);
    expect((await listLoaded('')).toSorted()).toEqual(['explorer', 'main']);
    expect(await listLoaded('?view=table')).toEqual(await listLoaded(''));
  });

  test.each(['files.json', '../package.json', '%2e%2e/files.json', 'constructor', 'main.js.br'])(
    'nothing else is served: %s',
    async (name) => {
      expect((await service.get(`/explore/${name}`, {})).status).toBe(404);
    },
  );
});
