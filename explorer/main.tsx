// Entry point of the explorer: passes the browser's functions to a session and renders the page.

import { render } from 'preact';
import { AnswerMemory } from './requests/answer-memory';
import { Session } from './session/session';
import { Explorer } from './views/explorer';
import { createBrowserKeys, storeKeyFromAddress } from './views/parts/browser';

const element = document.getElementById('explorer');
if (element === null) throw new Error('the page has no place for the explorer');
const { base = '', map = '', mapShared = '', mapWorker = '' } = element.dataset;
const { states = '', counties = '', nature = '' } = element.dataset;
const { water = '', tiles = '', attribution = '', keyless = '', browserKey = '', contact = '' } = element.dataset;

storeKeyFromAddress();
const memory = new AnswerMemory((url, options) => fetch(url, options));
const session = new Session({
  base,
  send: memory.send,
  schedule: (milliseconds, act) => {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
  query: location.search,
  showQuery: (query, how) => {
    const address = `${location.pathname}${query === '' ? '' : `?${query}`}`;
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  },
  storage: sessionStorage,
  answersWithoutKey: keyless !== '',
  contact,
  browserKeys: browserKey === '' ? undefined : createBrowserKeys(browserKey, base),
});

addEventListener('popstate', () => session.showAddress(location.search));
addEventListener('hashchange', () => {
  const key = storeKeyFromAddress();
  if (key !== undefined) session.useKey(key);
});
addEventListener('online', () => session.retry());
session.start();
const mapFiles = {
  program: map,
  shared: mapShared,
  worker: mapWorker,
  states,
  counties,
  water,
  nature,
  tiles,
  attribution,
};
render(<Explorer session={session} mapFiles={mapFiles} />, element);
