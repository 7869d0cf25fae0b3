// The key of this tab. It comes from the address, where `npm start` puts it after #key=, or was typed. It is kept for
// the tab only, under the name that the explorer uses, and is removed from the address.

const NAME = 'water-data-key';

/** Empty when there is no key. Removes a key from the fragment of the address. */
export function readKey() {
  const [, fragmentKey] = /^#key=(.+)$/.exec(location.hash) ?? [];
  if (fragmentKey !== undefined) {
    history.replaceState(null, '', `${location.pathname}${location.search}`);
    keepKey(fragmentKey);
  }
  return sessionStorage.getItem(NAME) ?? '';
}

export function keepKey(key) {
  sessionStorage.setItem(NAME, key);
}

/** Calls `use` when the address gets another key, which does not reload the page. */
export function onNewKey(use) {
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#key=')) use(readKey());
  });
}
