// The routes of a function: the paths below the path of the function, each with its route. The platform finds the
// function, and this table finds the route.

import type { RouteEntry } from './route';

const ANY_PATH_BELOW = '/{*path}';

/**
 * Returns a function that finds the entry for a URL, ignoring case and trailing slashes. An exact path wins; otherwise,
 * the longest path whose entry matches all paths below it.
 */
export function createRouteTable(entries: readonly RouteEntry[]): (url: string) => RouteEntry | undefined {
  const byPath = new Map(entries.map((entry) => [entry.path.toLowerCase(), entry]));
  const byPrefix = entries
    .filter(({ path }) => path.endsWith(ANY_PATH_BELOW))
    .map((entry) => ({ entry, prefix: entry.path.slice(0, -ANY_PATH_BELOW.length + 1).toLowerCase() }))
    .sort((one, other) => other.prefix.length - one.prefix.length);
  return (url) => {
    const path = normalizePath(url);
    return byPath.get(path) ?? byPrefix.find(({ prefix }) => `${path}/`.startsWith(prefix))?.entry;
  };
}

function normalizePath(url: string): string {
  const { pathname } = new URL(url);
  let end = pathname.length;
  while (end > 1 && pathname[end - 1] === '/') end--;
  return pathname.slice(1, end).toLowerCase();
}
