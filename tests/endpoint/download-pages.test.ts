// Pages about downloads and data, which need no key (ADR 0090).

import { join } from 'node:path';
import type { PageContent } from '../../shared/http/pipeline/service';
import { LocalDownloads } from '../../shared/store/local-downloads';
import { LeastRecentlyUsedCache } from '../../shared/values/least-recently-used-cache';
import { createDownloadServices, DOWNLOADS_PATH } from '../fixtures/download-services';

const { service, terms } = createDownloadServices();
const get = service.getWith;

/** A new cache of pages. Pages contain the address of the service, which a test may change. */
function newPages(): LeastRecentlyUsedCache<PageContent> {
  return new LeastRecentlyUsedCache(1_000_000);
}

test('the page about the data defines terms, lists known limits and shows the notes of submissions', async () => {
  const { text } = await terms.get('/docs/data', {});
  for (const part of [
    'Meters &#60;were&#62; read late.',
    'Agency (2026): &#60;Amounts&#62;',
    'Placeholder priority dates',
  ])
    expect(text).toContain(part);
  expect(text).toMatch(/<dt>priority date<\/dt>\s*<dd>The date that ranks a right: [^<]*<\/dd>/);
  expect(text).not.toMatch(/<dt>(submission|finding)<\/dt>/);
  expect(text).toContain('None provided');
});

describe('the page /downloads', () => {
  test('shows each file with its size, digest and terms of use, and how programs download it', async () => {
    const page = await service.get('/downloads', {});
    expect([page.status, page.headers['Content-Type']]).toEqual([200, 'text/html; charset=utf-8']);
    const { json } = await get(DOWNLOADS_PATH);
    for (const { Files } of json.Downloads) {
      for (const { SHA256, Path } of Files) {
        expect(page.text).toContain(SHA256);
        expect(page.text).toContain(`formaction="${Path}"`);
      }
      expect(page.text).toContain(`https://ADDRESS-OF-THIS-SERVICE${Files[0].Path}`);
    }
    expect(page.text).toMatch(/<dt>License<\/dt>\s*<dd>not stated<\/dd>/);
    expect(page.text).toMatch(/<dt>Cite as<\/dt>\s*<dd>[^<]+ \(\d{4}\)\. [^<]+ Release [0-9a-f]{8}\.<\/dd>/);
    expect((await service.get('/', {})).text).toContain('href="/downloads"');
  });

  test('links to each data set, names every saved file differently, and puts no key into an address', async () => {
    const page = await service.get('/downloads', {});
    const { json } = await get(DOWNLOADS_PATH);
    const files = json.Downloads.flatMap(({ Files }: { readonly Files: readonly object[] }) => Files);
    for (const { Release } of json.Downloads) expect(page.text).toContain(`id="d-${Release}"`);
    const links = [...page.text.matchAll(/href="#d-([0-9a-f]+)"/g)].map(([, release]) => release);
    const releases = json.Downloads.map(({ Release }: { readonly Release: string }) => Release);
    expect(links).toEqual(releases.length < 2 ? [] : expect.arrayContaining(releases));
    const names = [...page.text.matchAll(/(?:data-name|download)="([^"]+)"/g)].map(([, name]) => name);
    const ofReleases = names.filter((name) => name !== 'increment.py');
    expect(new Set(ofReleases).size).toBe(files.length);
    expect(page.text).not.toMatch(/<form[^>]*method="get"/);
  });

  test('gives a script the address of a file in the storage, instead of a redirect that the script cannot follow', async () => {
    const signed = 'https://files.example.org/signed';
    const open = (): Promise<object> => Promise.resolve({ kind: 'address', url: signed });
    const downloads = Object.assign(new LocalDownloads(join(service.folder, 'data')), { open });
    const elsewhere = { ...service.service, downloads };
    const { json } = await get(DOWNLOADS_PATH);
    const { Path } = json.Downloads[0].Files[0];
    const key = { 'x-api-key': service.key };
    expect(await service.getFrom(elsewhere, Path, key)).toMatchObject({ status: 302, headers: { Location: signed } });
    const answer = await service.getFrom(elsewhere, Path, { ...key, 'x-requested-with': 'page' });
    expect(answer).toMatchObject({ status: 204, headers: { 'Content-Location': signed } });
  });

  test('the page of a site has the citation that the submission asks for', async () => {
    const { json } = await terms.get('/ogc/collections/sites/items?limit=1');
    const page = await terms.get(`/ogc/collections/sites/items/${encodeURIComponent(json.features[0].id)}?f=html`);
    expect(page.text).toContain('asks to be cited as: Agency (2026): &#60;Amounts&#62;');
  });

  test('uses the path of PUBLIC_URL, and allows forms to redirect to the host of the files', async () => {
    const origin = (): Promise<string> => Promise.resolve('https://files.example.org');
    const downloads = Object.assign(new LocalDownloads(join(service.folder, 'data')), { origin });
    const elsewhere = { ...service.service, downloads, pages: newPages(), publicUrl: 'https://water.example.org/api' };
    const { text, headers } = await service.getFrom(elsewhere, '/downloads', {});
    expect(text).toContain('formaction="/api/v1/Downloads/');
    expect(text).toContain('https://ADDRESS-OF-THIS-SERVICE/v1/Downloads/');
    expect(headers['Content-Security-Policy']).toContain("form-action 'self' https://files.example.org;");
  });
});
