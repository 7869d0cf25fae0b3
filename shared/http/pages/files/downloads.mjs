// Completes the page of downloads: examples with the address of this service and the key, copy buttons, and file names.
// The key stays in this tab and never appears in an address.

import { addCopyButton, saveDownload, showPrograms } from './copying.mjs';
import { keepKey, onNewKey, readKey } from './tab-key.mjs';

for (const box of document.querySelectorAll('.code, .digest')) addCopyButton(box);

const field = document.querySelector('input[name="key"]');
field?.addEventListener('input', () => {
  keepKey(field.value.trim());
  showPrograms(field.value.trim());
});
field?.form.addEventListener('submit', (event) => {
  event.preventDefault();
  void save(event.submitter);
});
takeKey(readKey());
onNewKey(takeKey);

/** Sends the key in a header, so that it appears in no address. */
async function save(button) {
  const label = button.textContent;
  button.disabled = true;
  button.textContent = 'Downloading …';
  await saveDownload(button.formAction, { key: field.value.trim(), name: button.dataset.name, form: field.form });
  button.textContent = label;
  button.disabled = false;
}

function takeKey(key) {
  if (field !== null) field.value = key;
  showPrograms(key);
}
