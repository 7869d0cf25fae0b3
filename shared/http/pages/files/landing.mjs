// Completes the landing page: addresses with the host of this service and the key, and copy buttons. The key stays in
// this tab.

import { addCopyButton, goUnlessRefused, PLACEHOLDER_KEY, showPrograms } from './copying.mjs';
import { keepKey, onNewKey, readKey } from './tab-key.mjs';

const forms = [...document.querySelectorAll('.card form')];
let key = '';

for (const form of forms) {
  form.addEventListener('input', ({ target }) => {
    if (target.name === 'key') {
      keepKey(target.value.trim());
      takeKey(target.value.trim());
    }
    showAddress(form);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // submit() opens the answer in a new page, without this event.
    void goUnlessRefused(`${form.action}?${new URLSearchParams(new FormData(form))}`, form, () => form.submit());
  });
  for (const link of form.parentElement.querySelectorAll('.address a, .beside a')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      void goUnlessRefused(link.href, form, () => open(link.href, link.target || '_self', link.rel));
    });
  }
}

for (const box of document.querySelectorAll('.address, .code')) addCopyButton(box);

takeKey(readKey());
onNewKey(takeKey);

/** All forms and examples share one key. */
function takeKey(text) {
  key = text;
  for (const form of forms) {
    if (form.elements.key.value.trim() !== key) form.elements.key.value = key;
    showAddress(form);
  }
  showPrograms(key);
}

function showAddress(form) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const shown = name === 'key' && value.trim() === '' ? PLACEHOLDER_KEY : value.trim();
    if (shown !== '') query.append(name, shown);
  }
  const link = form.parentElement.querySelector('.address a');
  link.href = `${form.action}?${query}`;
  link.textContent = link.href;
  for (const beside of form.parentElement.querySelectorAll('.beside a')) showBeside(beside, form.elements);
}

/** Updates a link to totals or an export with the chosen state and the key. */
function showBeside(link, elements) {
  const address = new URL(link.href);
  address.searchParams.set('key', elements.key.value.trim() || PLACEHOLDER_KEY);
  if (elements.State.value === '') address.searchParams.delete('State');
  else address.searchParams.set('State', elements.State.value);
  link.href = address.href;
}
