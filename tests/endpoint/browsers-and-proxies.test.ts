// Browsers, proxies and keys (D71): preflights, challenges, Bearer tokens, forwarded addresses, and changed entity tags.

import { readTrustedProxies } from '../../shared/access/client-address';
import type { Service } from '../../shared/http/pipeline/service';
import { oneAmount, paths } from '../fixtures/handmade';
import { createLoadedService, requestService } from '../fixtures/test-service';

const service = createLoadedService(oneAmount);

function createServiceBehind(setting: string): Service {
  const trustedProxies = readTrustedProxies(setting);
  if (!trustedProxies.ok) throw new Error(trustedProxies.problem);
  return { ...service.service, trustedProxies: trustedProxies.value };
}

describe('preflights', () => {
  test.each([paths.site, `${paths.site}/Totals`, '/ogc/collections/sites/items', '/mcp', '/v1/Find', '/openapi.json'])(
    '%s allows a page to send any header with the key',
    async (path) => {
      const preflight = {
        origin: 'https://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-api-key,traceparent,baggage,sentry-trace,x-datadog-origin',
      };
      const { status, headers } = await service.get(path, preflight, 'OPTIONS');
      expect(status).toBe(204);
      expect((headers['Access-Control-Allow-Headers'] ?? '').split(', ')).toEqual(['*', 'Authorization', 'X-API-Key']);
    },
  );
});

describe('the challenge of a 401', () => {
  test.each<[string, string, Record<string, string>, boolean]>([
    ['a program', paths.site, {}, true],
    ['curl', paths.site, { accept: '*/*' }, true],
    ['a program that accepts JSON', '/v1/Sites', { accept: 'application/json' }, true],
    ['a script in a browser', paths.site, { 'sec-fetch-mode': 'cors' }, false],
    ['a browser that opens the address', paths.site, { 'sec-fetch-mode': 'navigate', accept: 'text/html' }, false],
    ['an old browser', paths.site, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, false],
    ['an old browser that follows a link', paths.site, { referer: 'https://water.example.org/' }, false],
    ['a script of another site in an old browser', paths.site, { origin: 'https://app.example' }, false],
    ['a program with a wrong key', paths.site, { 'x-api-key': 'wrong' }, false],
    ['a script of our pages', paths.site, { 'x-requested-with': 'explorer' }, false],
    ['a GIS program', '/ogc/collections/sites/items', {}, true],
    ['an assistant', '/mcp', {}, true],
  ])('to %s at %s, with the headers %j, includes Basic: %p', async (_, path, headers, hasBasic) => {
    const { status, headers: sent } = await service.get(path, headers);
    expect(status).toBe(401);
    expect(/\bBasic /.test(sent['WWW-Authenticate'] ?? '')).toBe(hasBasic);
  });
});

describe('clients that look for OAuth', () => {
  test.each([
    ['POST', '/register'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['GET', '/.well-known/oauth-authorization-server/mcp'],
    ['GET', '/.well-known/oauth-protected-resource'],
    ['GET', '/.well-known/oauth-protected-resource/mcp'],
    ['GET', '/.well-known/openid-configuration'],
    ['GET', '/.well-known/openid-configuration/mcp'],
    ['GET', '/mcp/.well-known/openid-configuration'],
    ['GET', '/authorize'],
    ['POST', '/token'],
  ])('%s %s is a 404 that says where the key goes', async (method, path) => {
    const { status, json } = await service.get(path, {}, method);
    expect(status).toBe(404);
    expect(json.detail).toContain('X-API-Key');
    expect(json.detail).toContain('Bearer');
  });

  test.each(['GET', 'DELETE'])('%s /mcp is a 401 without a key and a 405 with one', async (method) => {
    expect((await service.get('/mcp', {}, method)).status).toBe(401);
    const { status, headers } = await service.get('/mcp', { authorization: `Bearer ${service.key}` }, method);
    expect([status, headers['Allow']]).toEqual([405, 'POST, OPTIONS']);
  });
});

describe('links without PUBLIC_URL', () => {
  const host = { host: 'water.example.org' };
  const https = { ...host, 'x-forwarded-proto': 'https' };

  test.each<[string, string, string, Record<string, string>, string]>([
    ['the scheme that a trusted proxy sent', '127.0.0.1', '127.0.0.1', https, 'https://water.example.org'],
    ['the scheme that a platform sent', '1', '', https, 'https://water.example.org'],
    [
      'http, because the sender of the scheme is not trusted',
      '127.0.0.1',
      '192.0.2.9',
      https,
      'http://water.example.org',
    ],
    ['http, because no proxy is trusted', '', '127.0.0.1', https, 'http://water.example.org'],
    [
      'http, because the sent scheme is invalid',
      '1',
      '',
      { ...host, 'x-forwarded-proto': 'javascript' },
      'http://water.example.org',
    ],
    [
      'the host that a trusted proxy sent',
      '1',
      '',
      { host: '10.0.0.1:7071', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'water.example.org:8443' },
      'https://water.example.org:8443',
    ],
    [
      'the values of the outer of two trusted proxies',
      '10.0.0.0/8',
      '10.0.0.1',
      {
        host: '10.0.0.1',
        'x-forwarded-for': '192.0.2.9, 10.0.0.2',
        'x-forwarded-proto': 'http, https, http',
        'x-forwarded-host': 'forged.example, water.example.org, 10.0.0.2',
      },
      'https://water.example.org',
    ],
    [
      'the own host of the service, because the forwarded host is invalid',
      '1',
      '',
      { ...https, 'x-forwarded-host': 'a/b"><' },
      'https://water.example.org',
    ],
  ])('use %s', async (_, setting, address, headers, base) => {
    const behind = createServiceBehind(setting);
    for (const path of ['/ogc', '/ogc/collections/sites', '/ogc/collections/sites/items', '/ogc/collections']) {
      const request = { headers: { ...headers, 'x-api-key': service.key }, address };
      const { text } = await requestService(behind, `${path}?f=json`, request);
      const links = [...text.matchAll(/"href":"([^"]*)"/g)].map(([, href = '']) => href);
      const own = links.filter((href) => href.includes('/ogc') && !href.includes('opengis.net'));
      expect(own.length).toBeGreaterThan(0);
      expect(own.filter((href) => !href.startsWith(`${base}/`))).toEqual([]);
    }
  });
});

describe('entity tags that a proxy has changed', () => {
  const change: readonly (readonly [string, (tag: string) => string])[] = [
    ['-gzip inside', (tag) => tag.replace(/"$/, '-gzip"')],
    ['-br inside', (tag) => tag.replace(/"$/, '-br"')],
    [';gzip inside', (tag) => tag.replace(/"$/, ';gzip"')],
    ['-gzip after the quotes', (tag) => `${tag}-gzip`],
    ['W/ in front', (tag) => `W/${tag.replace(/^W\//, '')}`],
    ['W/ and -gzip', (tag) => `W/${tag.replace(/^W\//, '').replace(/"$/, '-gzip"')}`],
    ['another tag before it', (tag) => `"other-gzip", ${tag.replace(/"$/, '-gzip"')}`],
  ];

  describe.each(['/v1/Sites', '/v1/Inventory', '/openapi.json', '/ogc/collections/sites/items', '/', '/data.json'])(
    '%s',
    (path) => {
      test.each(change)('%s still gets a 304', async (_, changeTag) => {
        const { ETag: tag = '' } = (await service.get(path)).headers;
        expect(tag).not.toBe('');
        expect((await service.getWith(path, { 'if-none-match': changeTag(tag) })).status).toBe(304);
        expect((await service.getWith(path, { 'if-none-match': changeTag('"else-1"') })).status).toBe(200);
      });
    },
  );
});
