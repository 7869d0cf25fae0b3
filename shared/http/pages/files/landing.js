// Completes what the landing page shows without it: addresses with the service's own host and the key that was typed, and
// buttons that copy. The key stays in this page.

const PLACEHOLDER_ADDRESS = 'https://ADDRESS-OF-THIS-SERVICE';
const PLACEHOLDER_KEY = 'YOUR-KEY';
const NOTE_MS = 1500;

const service = new URL('.', location.href).href.replace(/\/$/, '');
const forms = [...document.querySelectorAll('.card form')];
const programs = [...document.querySelectorAll('.code code')].map((code) => ({ code, text: code.textContent }));
const live = document.createElement('p');
let key = '';

for (const form of forms) {
  form.addEventListener('input', ({ target }) => {
    if (target.name === 'key') takeKey(target.value.trim());
    showAddress(form);
  });
}

for (const box of document.querySelectorAll('.address, .code')) addCopyButton(box);

live.className = 'skip';
live.setAttribute('role', 'status');
document.body.append(live);
forms.forEach(showAddress);
showPrograms();

/** One key for all forms and examples. */
function takeKey(text) {
  key = text;
  for (const form of forms) {
    if (form.elements.key.value.trim() !== key) form.elements.key.value = key;
    showAddress(form);
  }
  showPrograms();
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
  showTotals(form);
}

/** The totals of the chosen state, with the key that was typed. */
function showTotals({ elements, parentElement }) {
  const link = parentElement.querySelector('.totals a');
  const address = new URL(link.href);
  address.searchParams.set('key', elements.key.value.trim() || PLACEHOLDER_KEY);
  if (elements.State.value === '') address.searchParams.delete('State');
  else address.searchParams.set('State', elements.State.value);
  link.href = address.href;
}

function showPrograms() {
  for (const { code, text } of programs) {
    const completed = text.replaceAll(PLACEHOLDER_ADDRESS, service);
    code.textContent = key === '' ? completed : completed.replaceAll(PLACEHOLDER_KEY, key);
  }
}

function addCopyButton(box) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => copy(box.querySelector('a, code').textContent, button));
  box.append(button);
}

/** The clipboard is there only on https and on this machine; elsewhere the text can be selected. */
async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    live.textContent = button.textContent = 'Copied';
  } catch {
    live.textContent = button.textContent = 'Select and copy';
  }
  setTimeout(() => (button.textContent = 'Copy'), NOTE_MS);
}
