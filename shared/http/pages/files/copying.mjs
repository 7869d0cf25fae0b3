// What our pages share: examples that are completed with the service's own address and a key, and buttons that copy.

const PLACEHOLDER_ADDRESS = 'https://ADDRESS-OF-THIS-SERVICE';
export const PLACEHOLDER_KEY = 'YOUR-KEY';
const NOTE_MS = 1500;

const live = document.createElement('p');
live.className = 'skip';
live.setAttribute('role', 'status');
document.body.append(live);

const programs = [...document.querySelectorAll('.code code')].map((code) => ({ code, text: code.textContent }));

/** The page lies at the root of the service, or at a name in it. */
const service = new URL('.', location.href).href.replace(/\/$/, '');

export function showPrograms(key) {
  for (const { code, text } of programs) {
    const completed = text.replaceAll(PLACEHOLDER_ADDRESS, service);
    code.textContent = key === '' ? completed : completed.replaceAll(PLACEHOLDER_KEY, key);
  }
}

/** `content` is what of the box is copied. */
export function addCopyButton(box, content = box.querySelector('a, code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => copy(content.textContent, button));
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
