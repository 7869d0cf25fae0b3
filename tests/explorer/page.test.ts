// The explorer's page and files as handlers answer them.

import { brotliDecompressSync } from 'node:zlib';
import { explorerFiles } from '../../shared/http/pages/page-files';
import { createTestService } from '../fixtures/test-service';

/**
 * In bytes, compressed: what a page may load before a map is needed, before the first picture of a map, and after it.
 * Rivers and towns are loaded when that stands, borders of counties when a person has gone near enough to see them.
 */
const BEFORE_THE_MAP = 150 * 1024;
const BEFORE_ITS_PICTURE = 450 * 1024;
const AFTER_IT = { nature: 110 * 1024, counties: 180 * 1024 };

const service = createTestService();

test('the page needs no key, holds none, and loads files of ours alone', async () => {
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
  expect(new Set(files).size).toBe(10);
  for (const address of files) {
    const answer = await service.get(address, {});
    expect({ address, status: answer.status }).toEqual({ address, status: 200 });
    expect(answer.headers['Cache-Control']).toBe('public, max-age=31536000, immutable');
  }
});

test('the tiles that an operator names are the only other host, with their attribution', async () => {
  const basemap = { tiles: 'https://tiles.example.org/{z}/{x}/{y}.png', attribution: '© "Example" <maps>' };
  const { headers, text } = await service.ask({ ...service.service, basemap }, '/explore', {});
  const policy = headers['Content-Security-Policy'] ?? '';
  expect(policy).toContain("img-src 'self' data: blob: https://tiles.example.org;");
  expect(policy).toContain("connect-src 'self' https://tiles.example.org;");
  expect(policy).toContain("script-src 'self';");
  expect(text).toContain('data-attribution="© &#34;Example&#34; &#60;maps&#62;"');
});

test('the files were compressed when they were built, and are small enough', async () => {
  const sizes = new Map<string, number>();
  for (const [part, name] of Object.entries(explorerFiles() ?? {})) {
    const coded = await service.get(`/explore/${name}`, { 'accept-encoding': 'br' });
    expect(coded.headers['Content-Encoding']).toBe('br');
    expect(brotliDecompressSync(coded.bytes).toString()).toBe((await service.get(`/explore/${name}`, {})).text);
    sizes.set(part, coded.bytes.length);
  }
  const sum = (parts: readonly string[]): number => parts.reduce((bytes, part) => bytes + (sizes.get(part) ?? 0), 0);
  expect(sum(['program', 'style'])).toBeLessThan(BEFORE_THE_MAP);
  expect(sum([...sizes.keys()].filter((part) => !(part in AFTER_IT)))).toBeLessThan(BEFORE_ITS_PICTURE);
  for (const [part, most] of Object.entries(AFTER_IT)) expect(sum([part])).toBeLessThan(most);
});

test('parts of the program are asked for with the page, that of the map where the address shows one', async () => {
  const linked = async (query: string): Promise<readonly string[]> =>
    [...(await service.get(`/explore${query}`, {})).text.matchAll(/<link rel="modulepreload"[^>]*href="([^"]+)"/g)].map(
      ([, address = '']) => address.replace(/^\/explore\/([a-z-]+)-.*/, '$1'),
    );
  expect(await linked('')).toEqual(['chunk', 'open-map']);
  expect(await linked('?view=map')).toEqual(await linked(''));
  expect(await linked('?view=table')).toEqual(['chunk']);
});

test.each(['files.json', '../package.json', '%2e%2e/files.json', 'constructor', 'main.js.br'])(
  'nothing else is handed out: %s',
  async (name) => {
    expect((await service.get(`/explore/${name}`, {})).status).toBe(404);
  },
);
