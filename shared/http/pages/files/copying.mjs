// Code that several pages share: examples with the address of this service and the key, copy buttons, and explained
// refusals.

const PLACEHOLDER_ADDRESS = 'https://ADDRESS-OF-THIS-SERVICE';
export const PLACEHOLDER_KEY = 'YOUR-KEY';
const NOTE_MS = 1500;

const live = document.createElement('p');
live.className = 'skip';
live.setAttribute('role', 'status');
document.body.append(live);

const programs = [...document.querySelectorAll('.code code')].map((code) => ({ code, text: code.textContent }));

/** Without a slash at the end. The page is at the root of the service or one level below it. */
const service = new URL('.', location.href).href.replace(/\/$/, '');

export function showPrograms(key) {
  for (const { code, text } of programs) {
    const completed = text.replaceAll(PLACEHOLDER_ADDRESS, service);
    code.textContent = key === '' ? completed : completed.replaceAll(PLACEHOLDER_KEY, key);
  }
}

/** `content` is the element whose text is copied. */
export function addCopyButton(box, content = box.querySelector('a, code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => copy(content.textContent, button));
  box.append(button);
}

async function copy(text, button) {
  const note = await writeToClipboard(text);
  live.textContent = note;
  button.textContent = note;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, NOTE_MS);
}

/**
 * Returns the sentence to show. Browsers allow clipboard access only on https and on localhost; elsewhere the reader
 * has to select the text.
 */
async function writeToClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied';
  } catch {
    return 'Select and copy';
  }
}

/** Marks requests of a page, so that a 401 does not make the browser ask for a user name (D55). */
const PAGE_HEADERS = { 'X-Requested-With': 'page' };

const refusal = document.createElement('p');
refusal.className = 'notice';
refusal.setAttribute('role', 'alert');

/**
 * Opens an answer in a new tab, or saves it if it is a file. Sends the key in a header, because addresses end up in
 * logs and histories. Explains a refusal in `form`, where the key was typed.
 */
export async function openAnswer(address, key, form) {
  refusal.remove();
  // Opens the tab before the answer arrives: browsers block windows that are opened later.
  const view = open('', '_blank');
  try {
    const response = await fetch(address, { headers: { ...PAGE_HEADERS, 'X-API-Key': key } });
    if (!response.ok) throw new Error(await describeRefusal(response));
    const content = URL.createObjectURL(await response.blob());
    const [, name] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
    if (name === undefined && view !== null) view.location.replace(content);
    else {
      view?.close();
      save(content, name ?? 'answer.json');
    }
  } catch (error) {
    view?.close();
    refusal.textContent = error.message;
    form.append(refusal);
  }
}

/**
 * Saves a file that needs a key, under its own name. If the storage sends the file, its address is signed for this one
 * download.
 */
export async function saveDownload(address, { key, name, form }) {
  refusal.remove();
  try {
    const response = await fetch(address, { headers: { ...PAGE_HEADERS, 'X-API-Key': key } });
    if (!response.ok) throw new Error(await describeRefusal(response));
    const signedAddress = response.headers.get('Content-Location');
    if (signedAddress !== null) location.assign(signedAddress);
    else save(URL.createObjectURL(await response.blob()), name);
  } catch (error) {
    refusal.textContent = error.message;
    form.append(refusal);
  }
}

async function describeRefusal(response) {
  if (response.status === 429) return describeLimit(response.headers);
  const { detail } = await response.json();
  return response.status === 401 ? `The key was not accepted. ${detail}` : detail;
}

function save(content, name) {
  const link = document.createElement('a');
  link.href = content;
  link.download = name;
  link.click();
}

function describeLimit(headers) {
  const seconds = Number(headers.get('Retry-After'));
  const time = new Date(Date.parse(headers.get('Date')) + seconds * 1000).toLocaleTimeString();
  return `Your key has reached its limit. Try again in ${seconds} seconds, at ${time}.`;
}
