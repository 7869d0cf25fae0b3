// The entry of the page's program: takes what the browser has, hands it to a session, and draws the page.

import { render } from 'preact';
import { Session } from './session/session';
import { Explorer } from './views/explorer';

/** The name under which this tab keeps its key. */
const KEY_NAME = 'water-data-key';

const element = document.getElementById('explorer');
if (element === null) throw new Error('the page has no place for the explorer');
const { base = '', key = '', map = '', mapWorker = '', mapStyle = '', states = '', counties = '' } = element.dataset;

const session = new Session({
  base,
  send: (url, options) => fetch(url, options),
  wait: (milliseconds, act) => {
    const timer = setTimeout(act, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
  query: location.search,
  showQuery: (query, how) => {
    const address = `${location.pathname}${query === '' ? '' : `?${query}`}`;
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  },
  keyStore: {
    read: () => sessionStorage.getItem(KEY_NAME) ?? '',
    write: (text) => {
      sessionStorage.setItem(KEY_NAME, text);
    },
  },
  isKeyless: key === 'none',
});

addEventListener('popstate', () => {
  session.showAddress(location.search);
});
addEventListener('online', () => {
  session.askAgain();
});
session.start();
const mapFiles = { program: map, worker: mapWorker, style: mapStyle, states, counties };
render(<Explorer session={session} mapFiles={mapFiles} />, element);
