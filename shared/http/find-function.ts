// Which function answers on a path: what the platform's router does, for hosts outside it.

import type { HttpFunction } from './http-function';

const REST = '{*path}';

/**
 * Paths are matched without regard to case, slashes at their ends ignored. The exact route comes first, then the longest of those
 * that take everything below them. Throws when no function takes unknown paths.
 */
export function functionFinder(functions: readonly HttpFunction[]): (url: string) => HttpFunction {
  const exact = new Map(functions.map((declared) => [declared.route.toLowerCase(), declared]));
  const open = functions
    .filter(({ route }) => route.endsWith(REST))
    .map((declared) => ({ declared, prefix: declared.route.slice(0, -REST.length).toLowerCase() }))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  return (url) => {
    const route = routeOf(url);
    const found = exact.get(route) ?? open.find(({ prefix }) => `${route}/`.startsWith(prefix))?.declared;
    if (found === undefined) throw new Error('no function takes unknown paths');
    return found;
  };
}

function routeOf(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return path.slice(start, end).toLowerCase();
}
