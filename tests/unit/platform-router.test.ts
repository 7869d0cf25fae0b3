// The rule by which the platform finds functions (ADR 0148). The expected results follow from the platform's source
// code, which host/platform-router.ts names.

import { createPlatformRouter, type RoutedFunction } from '../../host/platform-router';
import { formerFunctions } from '../fixtures/former-functions';

function findName(functions: readonly RoutedFunction[], path: string, method = 'GET'): string | undefined {
  return createPlatformRouter(functions)(method, path)?.name;
}

describe('the order of names', () => {
  test('decides: the first function whose route matches wins, even if another route is more exact', () => {
    const functions = [
      { name: 'Sites', route: 'v1/Sites' },
      { name: 'AllPaths', route: '{*path}' },
    ];
    expect(findName(functions, '/v1/Sites')).toBe('AllPaths');
  });

  test('decides, not the order in which functions are registered', () => {
    const functions = [
      { name: 'WebPages', route: '{*path}' },
      { name: 'Sites', route: 'v1/Sites' },
    ];
    expect([findName(functions, '/v1/Sites'), findName(functions.toReversed(), '/v1/Sites')]).toEqual([
      'Sites',
      'Sites',
    ]);
  });

  test.each([
    ['apples', 'Bananas'],
    ['Apples', 'bananas'],
    ['Item10', 'Item9'],
    ['Site', 'Sites'],
    // In upper case, letters sort before the underscore.
    ['SiteZ', 'Site_'],
  ])('%s comes before %s: names are compared by code unit, in upper case', (first, second) => {
    const functions = [
      { name: second, route: '{*path}' },
      { name: first, route: '{*path}' },
    ];
    expect(findName(functions, '/')).toBe(first);
  });
});

describe('a template', () => {
  test.each([
    // A catch-all matches its own base path and everything below.
    ['v1/Sites/{*path}', '/v1/Sites', true],
    ['v1/Sites/{*path}', '/v1/Sites/', true],
    ['v1/Sites/{*path}', '/v1/Sites/a', true],
    ['v1/Sites/{*path}', '/v1/Sites/a/b/c', true],
    ['v1/Sites/{*path}', '/v1/Sites/a//b', true],
    ['v1/Sites/{*path}', '/v1/SitesAndMore', false],
    ['v1/Sites/{*path}', '/v1', false],
    ['{*path}', '/', true],
    ['{*path}', '/any/path', true],
    // Case and one slash at the end have no effect.
    ['v1/Sites', '/v1/Sites', true],
    ['v1/Sites', '/V1/sItEs', true],
    ['v1/Sites', '/v1/Sites/', true],
    ['v1/Sites', '/v1/Sites/a', false],
    ['v1/{name}', '/v1/Sites', true],
    ['v1/{name}', '/v1', false],
    ['v1/{name}', '/v1/Sites/a', false],
    // Escapes are decoded, except for slashes.
    ['v1/Sites', '/v1/%53ites', true],
    ['v1/Sites', '/v1%2FSites', false],
    ['v1/{name}', '/v1/a%2Fb', true],
    ['v1/{name}', '/v1/%E0%A4%A', true],
    // Empty segments match nothing before a catch-all and at its beginning.
    ['v1/Sites/{*path}', '//v1/Sites', false],
    ['{*path}', '//v1/Sites', false],
    ['{*path}', '//', false],
    ['v1/Sites/{*path}', '/v1//Sites', false],
    ['v1/Sites/{*path}', '/v1/Sites//', false],
    ['v1/Sites', '/v1/Sites//', false],
  ])('%s matches %s: %s', (route, path, matches) => {
    expect(findName([{ name: 'Only', route }], path)).toBe(matches ? 'Only' : undefined);
  });
});

describe('an undeclared method', () => {
  const functions = [
    { name: 'Reading', route: 'v1/Sites', methods: ['GET'] },
    { name: 'WebPages', route: '{*path}', methods: ['GET', 'POST'] },
  ];

  test('is passed on to the next route that matches', () => {
    expect([findName(functions, '/v1/Sites', 'get'), findName(functions, '/v1/Sites', 'POST')]).toEqual([
      'Reading',
      'WebPages',
    ]);
  });

  test('matches nothing if no route declares it', () => {
    expect(findName(functions, '/v1/Sites', 'PUT')).toBeUndefined();
  });
});

test.each([
  ['/v1/SiteVariableAmounts', 'OtherPaths'],
  ['/v1/SiteAllocationAmounts/Totals', 'OtherPaths'],
  ['/v1/Sites', 'OtherPaths'],
  ['/sitemap.xml', 'OtherPaths'],
  ['/submit', 'OtherPaths'],
  ['/ogc/collections/sites/tiles/WebMercatorQuad/0/0/0', 'Ogc'],
  // Because these routes worked, the deployment looked healthy.
  ['/v1/AggregatedAmounts', 'AggregatedAmounts'],
  ['/health', 'Health'],
])('for %s, the platform called the function %s of the 41 functions of 1.0.0', (path, name) => {
  expect(findName(formerFunctions, path)).toBe(name);
});
