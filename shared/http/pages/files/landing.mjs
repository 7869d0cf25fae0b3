// Completes the landing page: addresses with the host of this service, and copy buttons. The key stays in this tab and
// never appears in an address.

import { addCopyButton, openAnswer, PLACEHOLDER_KEY, showPrograms } from './copying.mjs';
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
    void openAnswer(buildAddress(form), key, form);
  });
  for (const link of form.parentElement.querySelectorAll('.address a, .beside a')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      const address = new URL(link.href);
      address.searchParams.delete('key');
      if (form.reportValidity()) void openAnswer(address.href, key, form);
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
  const address = buildAddress(form);
  const link = form.parentElement.querySelector('.address a');
  link.href = `${address}${address.includes('?') ? '&' : '?'}key=${PLACEHOLDER_KEY}`;
  link.textContent = link.href;
  for (const beside of form.parentElement.querySelectorAll('.beside a')) showBeside(beside, form.elements);
}

/** The address without the key. */
function buildAddress(form) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (name !== 'key' && value.trim() !== '') query.append(name, value.trim());
  }
  const text = query.toString();
  return text === '' ? form.action : `${form.action}?${text}`;
}

/** Updates a link to totals or an export with the chosen state. */
function showBeside(link, elements) {
  const address = new URL(link.href);
  if (elements.State.value === '') address.searchParams.delete('State');
  else address.searchParams.set('State', elements.State.value);
  link.href = address.href;
}
