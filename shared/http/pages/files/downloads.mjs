// Completes the page of downloads: examples with the address of this service and the key, and copy buttons. The key
// stays in this tab.

import { addCopyButton, goUnlessRefused, showPrograms } from './copying.mjs';
import { keepKey, onNewKey, readKey } from './tab-key.mjs';

for (const box of document.querySelectorAll('.code, .digest')) addCopyButton(box);

const field = document.querySelector('input[name="key"]');
field?.addEventListener('input', () => {
  keepKey(field.value.trim());
  showPrograms(field.value.trim());
});
field?.form.addEventListener('submit', (event) => {
  event.preventDefault();
  const address = `${event.submitter.formAction}?${new URLSearchParams(new FormData(field.form))}`;
  void goUnlessRefused(address, field.form, () => location.assign(address));
});
takeKey(readKey());
onNewKey(takeKey);

function takeKey(key) {
  if (field !== null) field.value = key;
  showPrograms(key);
}
