// Completes what the page of downloads shows without it: examples with the service's own address and the key that was
// typed, and buttons that copy. The key stays in this page.

import { addCopyButton, showPrograms } from './copying.mjs';

for (const box of document.querySelectorAll('.code, .digest')) addCopyButton(box);

const key = document.querySelector('input[name="key"]');
key?.addEventListener('input', () => showPrograms(key.value.trim()));
showPrograms('');
