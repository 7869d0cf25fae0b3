// Routes of hosts outside the platform.

import { functionFinder } from '../../host/server';
import type { HttpFunction } from '../../shared/http/service';

function declared(route: string): HttpFunction {
  return { name: route, route, handle: () => Promise.reject(new Error('not called')) };
}

const find = functionFinder(['{*path}', 'v1/One', 'docs/{*path}', 'docs/exact'].map(declared));

test.each([
  ['/v1/One', 'v1/One'],
  ['/V1/ONE/?x=1', 'v1/One'],
  ['//v1/one', 'v1/One'],
  ['/v1/One/more', '{*path}'],
  ['/', '{*path}'],
  ['', '{*path}'],
  ['/docs', 'docs/{*path}'],
  ['/Docs/', 'docs/{*path}'],
  ['/docs/a/b#c', 'docs/{*path}'],
  ['/docs/exact', 'docs/exact'],
  ['/docsx', '{*path}'],
])('%j is for %s', (url, route) => {
  expect(find(url).route).toBe(route);
});

test('without a function for unknown paths, they are a fault of the program', () => {
  expect(() => functionFinder([declared('v1/One')])('/v2')).toThrow('unknown paths');
});
