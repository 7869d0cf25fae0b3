// Entry point of the page of briefs: passes the browser's functions to a session and renders the page.

import { render } from 'preact';
import { CountyOutlines } from '../requests/county-outlines';
import { BriefSession } from '../session/brief-session';
import { createBrowserKeys, storeKeyFromAddress } from '../views/parts/browser';
import { BriefPage } from './brief-page';

import '@preact/signals'; // This import makes components render again when a signal that they read changes.

const element = document.getElementById('brief');
if (element === null) throw new Error('the page has no place for the brief');
const { base = '', counties = '', keyless = '', browserKey = '' } = element.dataset;

storeKeyFromAddress();
const session = new BriefSession({
  base,
  send: (url, options) => fetch(url, options),
  schedule: (milliseconds, act) => {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
  query: location.search,
  showRoute: (route) => history.pushState(null, '', `${base}/${route}`),
  storage: sessionStorage,
  answersWithoutKey: keyless !== '',
  browserKeys: browserKey === '' ? undefined : createBrowserKeys(browserKey, base),
  outlines: new CountyOutlines(counties),
});

addEventListener('popstate', () => session.showAddress(location.search));
addEventListener('hashchange', () => {
  const key = storeKeyFromAddress();
  if (key !== undefined) session.useKey(key);
});
addEventListener('online', () => session.retry());
session.start();
render(<BriefPage session={session} />, element);
