// What our pages share: examples that are completed with the service's own address and a key, buttons that copy, and
// refusals in words.

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

/** Says that a program of a page asks: a 401 then makes no browser ask for a user name by itself (D55). */
const ASKED_BY = { 'X-Requested-With': 'page' };

const refusal = document.createElement('p');
refusal.className = 'notice';
refusal.setAttribute('role', 'alert');

/**
 * Calls `go`, which leads to an address, unless the service refuses the key or has no more for it: then the page says so
 * in `form`, where the key is typed.
 */
export async function goUnlessRefused(address, form, go) {
  refusal.remove();
  const words = await refusalOf(address);
  if (words === undefined) {
    go();
    return;
  }
  refusal.textContent = words;
  form.append(refusal);
}

/** Undefined for every other answer, and where none comes: the browser shows what becomes of it. */
async function refusalOf(address) {
  // An answer to HEAD costs the key no records. A file may lie at another origin, which is not asked.
  const options = { headers: ASKED_BY, redirect: 'manual' };
  try {
    const { status, headers } = await fetch(address, { ...options, method: 'HEAD' });
    if (status === 429) return limitWords(headers);
    if (status !== 401) return undefined;
    const { detail } = await (await fetch(address, options)).json();
    return `The key was not accepted. ${detail}`;
  } catch {
    return undefined;
  }
}

function limitWords(headers) {
  const seconds = Number(headers.get('Retry-After'));
  const time = new Date(Date.parse(headers.get('Date')) + seconds * 1000).toLocaleTimeString();
  return `Your key has used up its allowance. It can be used again in ${seconds} seconds, at ${time}.`;
}
