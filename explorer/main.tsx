// The entry of the page's program: takes what the browser has, hands it to a session, and draws the page.

import { render } from 'preact';
import { Session } from './session/session';
import { Explorer } from './views/explorer';

/** The name under which this tab keeps its key; the other pages of the service have the same one. */
const KEY_NAME = 'water-data-key';

/** In front of the kind of records whose columns this tab keeps. */
const COLUMNS_NAME = 'water-data-columns-';

const element = document.getElementById('explorer');
if (element === null) throw new Error('the page has no place for the explorer');
const { base = '', map = '', mapWorker = '', mapStyle = '', states = '', counties = '', nature = '' } = element.dataset;
const { tiles = '', attribution = '' } = element.dataset;

const session = new Session({
  base,
  send: (url, options) => fetch(url, options),
  wait: (milliseconds, act) => {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
  query: location.search,
  showQuery: (query, how) => {
    const address = `${location.pathname}${query === '' ? '' : `?${query}`}`;
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  },
  keyStore: {
    read: () => givenKey() ?? sessionStorage.getItem(KEY_NAME) ?? '',
    write: (text) => sessionStorage.setItem(KEY_NAME, text),
  },
  columnStore: {
    read: (kind) => sessionStorage.getItem(COLUMNS_NAME + kind) ?? '',
    write: (kind, names) => sessionStorage.setItem(COLUMNS_NAME + kind, names),
  },
});

addEventListener('popstate', () => session.showAddress(location.search));
addEventListener('hashchange', () => {
  const key = givenKey();
  if (key !== undefined) session.useKey(key);
});
addEventListener('online', () => session.askAgain());
session.start();
const mapFiles = { program: map, worker: mapWorker, style: mapStyle, states, counties, nature, tiles, attribution };
render(<Explorer session={session} mapFiles={mapFiles} />, element);

/** The key behind `#key=`, as `npm start` prints it; it is kept for this tab and taken out of the address (D54). */
function givenKey(): string | undefined {
  const [, key] = /^#key=(.+)$/.exec(location.hash) ?? [];
  if (key === undefined) return undefined;
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  sessionStorage.setItem(KEY_NAME, key);
  return key;
}
