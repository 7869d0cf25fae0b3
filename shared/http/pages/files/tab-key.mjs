// The key of this tab: from the address, where `npm start` has put it behind #key=, or as somebody has typed it. It is
// kept for the tab alone, under the name that the explorer uses, and stays in no address.

const NAME = 'water-data-key';

/** Empty where there is none. Takes a key in the fragment out of the address. */
export function readKey() {
  const [, given] = /^#key=(.+)$/.exec(location.hash) ?? [];
  if (given !== undefined) {
    history.replaceState(null, '', `${location.pathname}${location.search}`);
    keepKey(given);
  }
  return sessionStorage.getItem(NAME) ?? '';
}

export function keepKey(key) {
  sessionStorage.setItem(NAME, key);
}

/** Calls back when somebody has put another key into the address, which loads no page anew. */
export function onNewKey(use) {
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#key=')) use(readKey());
  });
}
