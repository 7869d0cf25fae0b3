// Self-service keys in the browser (D56): requests a key, claims it with the token of the mail, shows its use and
// deletes it. The browser solves a puzzle for each request, so that programs cannot request thousands of keys.

import { solvePuzzle } from './browser-key.mjs';
import { addCopyButton } from './copying.mjs';
import { keepKey, onNewKey, readKey } from './tab-key.mjs';

/* global confirm, isSecureContext */

const { base } = document.querySelector('#keys').dataset;
const [claim, made, ask, own] = ['claim', 'new', 'ask', 'own'].map((id) => document.getElementById(id));
const askForm = ask.querySelector('form');
const ownForm = own.querySelector('form');

/** One sentence on progress or failure, next to the last action. */
const note = document.createElement('p');

addCopyButton(made.querySelector('.code'));
takeKey(readKey());
onNewKey(takeKey);
readToken();
addEventListener('hashchange', readToken);

askForm.addEventListener('submit', (event) => {
  event.preventDefault();
  void whileBusy(askForm, askForKey);
});
ownForm.addEventListener('submit', (event) => {
  event.preventDefault();
  void whileBusy(ownForm, showUse);
});
own.querySelector('[name="rotate"]').addEventListener('click', () => {
  void whileBusy(own, async () => showKey(await operation('POST', 'Own/Rotation')));
});
own.querySelector('[name="delete"]').addEventListener('click', () => {
  if (
    confirm(
      'Delete the key and your name and address? The key stops working at once, and so do the keys that it replaced or that replaced it.',
    )
  )
    void whileBusy(own, deleteKey);
});

/** Removes the token from the address, so that no history keeps it. Only the button uses it up. */
function readToken() {
  const [, token] = /^#claim=(.+)$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  claim.hidden = false;
  ask.hidden = true;
  claim.querySelector('h2').focus();
  claim.querySelector('button').onclick = () => {
    void whileBusy(claim, async () => showKey(await operation('POST', 'Claims', { Token: token })));
  };
}

async function askForKey() {
  say(askForm, 'Your browser is solving a puzzle that keeps bots out. This takes a few seconds …');
  const Proof = await proof();
  const { Name, Email } = Object.fromEntries(new FormData(askForm));
  const answer = await operation('POST', 'Requests', { Name, Email, Proof });
  if (answer.Key !== undefined) showKey(answer);
  else
    say(
      askForm,
      `Check the mailbox of ${Email}: an email with a link to your key is on its way. The link works for an hour.`,
    );
}

async function proof() {
  if (!isSecureContext) throw new Error('Keys are issued only over https.');
  return solvePuzzle(await operation('GET', 'Challenge'));
}

function showKey({ Key, Limits, FormerKeyExpires }) {
  keepKey(Key);
  takeKey(Key);
  for (const section of [claim, ask]) section.hidden = true;
  made.hidden = false;
  made.querySelector('code').textContent = Key;
  made.querySelector('.actions a').href = `${base}/explore#key=${Key}`;
  const former = FormerKeyExpires === undefined ? '' : ` Your previous key works until ${local(FormerKeyExpires)}.`;
  const { RequestsPerMinute: requests, RecordsPerMinute: records } = Limits;
  made.querySelector('.limits').textContent =
    `Limits: ${requests.toLocaleString()} requests and ${records.toLocaleString()} records per minute.${former}`;
  note.remove();
  made.querySelector('h2').focus();
}

async function showUse() {
  const { Owner, Issued, Expires, UseByDay } = await operation('GET', 'Own');
  const end = Expires === null ? 'until it is deleted' : `until ${local(Expires)}`;
  own.querySelector('.owner').textContent = `${Owner}: made ${local(Issued)}, good ${end}.`;
  const rows = UseByDay.map(({ Day, Requests, Records, Refused }) => {
    const row = document.createElement('tr');
    const cells = [Day, ...[Requests, Records, Refused].map((count) => count.toLocaleString())];
    for (const text of cells) row.insertCell().textContent = text;
    return row;
  });
  own.querySelector('tbody').replaceChildren(...rows);
  own.querySelector('.use').hidden = false;
  note.remove();
}

async function deleteKey() {
  await operation('DELETE', 'Own');
  takeKey('');
  keepKey('');
  for (const section of [own.querySelector('.use'), made]) section.hidden = true;
  ask.hidden = false;
  say(ownForm, 'The key no longer works. Its name and address are deleted.');
}

function takeKey(key) {
  ownForm.elements.key.value = key;
}

/** Disables the buttons while `act` runs, and shows its error next to them. */
async function whileBusy(element, act) {
  const buttons = [...element.querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  try {
    await act();
  } catch (error) {
    say(element, error.message, 'alert');
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

function say(element, text, role = 'status') {
  note.className = role === 'alert' ? 'notice' : '';
  note.setAttribute('role', role);
  element.append(note);
  note.textContent = text;
}

/**
 * Throws an error with a message for people. The header marks a request of a page, so that the browser does not ask for
 * a user name.
 */
async function operation(method, path, body) {
  const headers = { 'X-Requested-With': 'page' };
  if (path.startsWith('Own')) headers['X-API-Key'] = ownForm.elements.key.value.trim();
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const options = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const answer = await fetch(`${base}/v1/Keys/${path}`, options).catch(() => {
    throw new Error('The service cannot be reached. Try again in a moment.');
  });
  if (answer.ok) return answer.status === 204 ? {} : answer.json();
  const { detail, errors } = await answer.json();
  if (answer.status === 429) {
    const seconds = Number(answer.headers.get('Retry-After'));
    throw new Error(`${detail} You can try again at ${local(Date.now() + seconds * 1000)}.`);
  }
  throw new Error(errors?.map(({ parameter, message }) => `${parameter} ${message}.`).join(' ') ?? detail);
}

function local(time) {
  return new Date(time).toLocaleString();
}
