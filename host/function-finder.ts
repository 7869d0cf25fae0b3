// Finds the function that answers a URL, as the platform's router does.

import type { HttpFunction } from '../shared/http/pipeline/service';

const ANY_PATH_BELOW = '{*path}';

/**
 * Returns a function that finds the function of a URL, without regard to case and outer slashes. An exact route comes
 * first, then the longest prefix among the routes that take every path below them. Throws for a URL that no function
 * takes.
 */
export function createFunctionFinder(functions: readonly HttpFunction[]): (url: string) => HttpFunction {
  const byRoute = new Map(functions.map((declared) => [declared.route.toLowerCase(), declared]));
  const byPrefix = functions
    .filter(({ route }) => route.endsWith(ANY_PATH_BELOW))
    .map((declared) => ({ declared, prefix: declared.route.slice(0, -ANY_PATH_BELOW.length).toLowerCase() }))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  return (url) => {
    const route = normalizeRoute(url);
    const match = byRoute.get(route) ?? byPrefix.find(({ prefix }) => `${route}/`.startsWith(prefix))?.declared;
    if (match === undefined) throw new Error('no function takes unknown paths');
    return match;
  };
}

function normalizeRoute(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return path.slice(start, end).toLowerCase();
}
