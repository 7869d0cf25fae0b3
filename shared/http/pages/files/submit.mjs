// Checks and sends submissions in the browser (D76): people choose or drop files, check them, fix them, check again,
// send them, follow the status, and confirm a held submission. The report is the page that the service renders.

import { keepKey, onNewKey, readKey } from './tab-key.mjs';

/* global Blob, confirm, File, DOMParser, print, clearTimeout */

const check = document.getElementById('check');
const report = document.getElementById('report');
const sent = document.getElementById('sent');
const form = check.querySelector('form');
const drop = check.querySelector('.drop');
const chosen = check.querySelector('.chosen');
const sendButton = check.querySelector('[name="send"]');
const { base, checkMb, submitMb } = check.dataset;
const MEGABYTE = 1024 * 1024;
const WATCH_MS = 5000;

/** Media types of archives and workbooks, by file extension. */
const PACKAGE_TYPES = {
  zip: 'application/zip',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xlsm: 'application/vnd.ms-excel.sheet.macroenabled.12',
};

/** Files that operating systems add. */
const JUNK = /^(\.|~\$|Thumbs\.db$|desktop\.ini$)/i;

/** One sentence on progress or failure, next to the last action. */
const note = document.createElement('p');

let files = [];
let reportAddress;
let watchTimer;

takeKey(readKey());
onNewKey(takeKey);

for (const name of ['files', 'folder']) {
  form.elements[name].addEventListener('change', ({ target }) => choose([...target.files]));
}
drop.addEventListener('dragover', (event) => {
  event.preventDefault();
  drop.classList.add('over');
});
drop.addEventListener('dragleave', () => drop.classList.remove('over'));
drop.addEventListener('drop', (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  // The browser empties the list when the event is over.
  const items = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file');
  // A file that is not on a disk, such as an attachment of a mail, has no entry.
  const entries = items.map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  void whileBusy(check, async () => choose((await Promise.all(entries.map(readEntry))).flat()));
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void whileBusy(check, checkFiles);
});
sendButton?.addEventListener('click', () => void whileBusy(check, sendFiles));
sent?.querySelector('[name="refresh"]').addEventListener('click', () => void whileBusy(sent, showSubmissions));
report.querySelector('[name="print"]').addEventListener('click', () => {
  document.body.classList.add('printing');
  print();
  document.body.classList.remove('printing');
});

async function readEntry(entry) {
  if (entry instanceof File) return [entry];
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
  const reader = entry.createReader();
  const entries = [];
  // A reader returns the entries in batches; an empty batch is the last.
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    entries.push(...some);
  }
  return (await Promise.all(entries.map(readEntry))).flat();
}

function choose(all) {
  files = all.filter(({ name }) => !JUNK.test(name));
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const names = files.map(({ name }) => name).join(', ');
  chosen.textContent = files.length === 0 ? 'No files chosen.' : `Chosen (${formatSize(size)}): ${names}`;
  if (sendButton) sendButton.disabled = true;
  note.remove();
}

function formatSize(bytes) {
  const [amount, unit] = bytes < MEGABYTE ? [bytes / 1024, 'KB'] : [bytes / MEGABYTE, 'MB'];
  return `${amount.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}

async function checkFiles() {
  say(check, 'Your files are being checked …');
  const { headers, body } = createBody(Number(checkMb), 'checked');
  const answer = await operation('POST', '/Checks', { headers: { ...headers, Accept: 'text/html' }, body });
  const verdict = answer.headers.get('Check-Verdict');
  await showReport(answer, 'Your files were checked. The report follows.');
  if (sendButton) sendButton.disabled = verdict === 'refused';
}

async function sendFiles() {
  say(check, 'Your files are being sent …');
  await operation('POST', '', createBody(Number(submitMb), 'sent'));
  sendButton.disabled = true;
  say(
    check,
    'Your files have arrived. They will be loaded in a minute or two; the list of your submissions shows the result.',
  );
  await showSubmissions();
  sent.querySelector('h2').focus();
}

/** Sends an archive or a workbook as it is, and other files as a form. */
function createBody(maxMegabytes, what) {
  if (files.length === 0) throw new Error('Choose the files of your submission first.');
  if (files.reduce((sum, file) => sum + file.size, 0) > maxMegabytes * MEGABYTE) {
    throw new Error(
      `The files are larger than ${maxMegabytes} MB, so they cannot be ${what} here. Send a ZIP file of them, or ask the operator for another way.`,
    );
  }
  const [only, ...others] = files;
  const type = PACKAGE_TYPES[/\.(\w+)$/.exec(only.name)?.[1]?.toLowerCase()];
  if (others.length === 0 && type !== undefined) return { headers: { 'Content-Type': type }, body: only };
  const body = new FormData();
  for (const file of files) body.append('files', file, file.name);
  return { headers: {}, body };
}

/** `answer` is the report as a page. Its content is shown on this page. */
async function showReport(answer, sentence) {
  const text = await answer.text();
  // The style sheet of the report is removed: this page's policy would block it and the browser would log an error.
  const withoutStyle = text.replace(/<style>[\s\S]*?<\/style>/, '');
  const content = new DOMParser().parseFromString(withoutStyle, 'text/html').querySelector('main');
  const shown = report.querySelector('.document');
  shown.replaceChildren(...[...content.childNodes].map((node) => document.importNode(node, true)));
  // The headings move down one level, because this page has its own main heading.
  for (const heading of shown.querySelectorAll('h1, h2, h3')) {
    const lower = document.createElement(`h${Number(heading.tagName.slice(1)) + 1}`);
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
  URL.revokeObjectURL(reportAddress);
  reportAddress = URL.createObjectURL(new Blob([text], { type: 'text/html' }));
  report.querySelector('a[download]').href = reportAddress;
  report.hidden = false;
  say(check, sentence);
  report.querySelector('h2').focus();
}

async function showSubmissions() {
  clearTimeout(watchTimer);
  const { TotalSubmissionsCount: total, Submissions: submissions } = await (await operation('GET', '')).json();
  replaceRows(submissions.map(createRow));
  sent.querySelector('.scrolled').hidden = submissions.length === 0;
  setText(sent.querySelector('.state'), describeList(total, submissions));
  const isOpen = submissions.some(({ Finished }) => Finished === null);
  if (isOpen) watchTimer = setTimeout(() => void showSubmissions().catch(showFailure), WATCH_MS);
}

/** Keeps the focus on its button, or moves it to the heading if the button is gone. */
function replaceRows(rows) {
  const body = sent.querySelector('tbody');
  const label = body.contains(document.activeElement) ? document.activeElement.getAttribute('aria-label') : null;
  body.replaceChildren(...rows);
  if (label === null) return;
  const button = [...body.querySelectorAll('button')].find((one) => one.getAttribute('aria-label') === label);
  (button ?? sent.querySelector('h2')).focus();
}

function describeList(total, [newest, ...others]) {
  if (newest === undefined) return 'Nothing has been sent yet.';
  const count = others.length + 1;
  const listed = count < total ? ` These are the newest ${count} of ${total} submissions.` : '';
  return `Status of your newest submission: ${newest.Status}.${listed}`;
}

function showFailure(error) {
  say(sent, error.message, 'alert');
}

/** Unchanged text is not set again, because a screen reader would read it again. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function createRow(submission) {
  const { Received, Status, Outcome, Links } = submission;
  const row = document.createElement('tr');
  const time = document.createElement('th');
  time.scope = 'row';
  time.textContent = local(Received);
  row.append(time);
  addCell(row, 'status').textContent = Status;
  addCell(row).textContent = Outcome ?? '';
  const actions = addCell(row);
  const received = local(Received);
  if (Links.report) {
    addButton(actions, 'Report', received, async () =>
      showReport(await operation('GET', `/${submission.Id}/Report`, { headers: { Accept: 'text/html' } }), Outcome),
    );
  }
  if (Links.rejected) addButton(actions, 'Rejected rows', received, () => saveRows(submission.Id, 'Rejected'));
  if (Links.confirmation) addButton(actions, 'Confirm', received, () => confirmSubmission(submission));
  return row;
}

function addCell(row, style = '') {
  const cell = row.insertCell();
  cell.className = `text ${style}`.trim();
  return cell;
}

/** `received` tells a screen reader which submission the button is for. */
function addButton(cell, text, received, act) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button plain';
  button.textContent = text;
  button.setAttribute('aria-label', `${text} for the submission received ${received}`);
  button.addEventListener('click', () => void whileBusy(sent, act));
  cell.append(button);
}

async function saveRows(id, part) {
  const answer = await operation('GET', `/${id}/${part}`);
  const [, name = part] = /filename="([^"]*)"/.exec(answer.headers.get('Content-Disposition') ?? '') ?? [];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function confirmSubmission({ Id, Outcome, ConfirmationCode }) {
  if (!confirm(`${Outcome}\n\nPublish it anyway?`)) return;
  const headers = { 'Content-Type': 'application/json' };
  await operation('POST', `/${Id}/Confirmation`, { headers, body: JSON.stringify({ Code: ConfirmationCode }) });
  await showSubmissions();
  sent.querySelector('h2').focus();
}

function takeKey(key) {
  form.elements.key.value = key;
}

/**
 * Disables the buttons while `act` runs, and shows an error next to them. Restores the focus, which a disabled button
 * loses.
 */
async function whileBusy(element, act) {
  const focused = document.activeElement;
  const wasDisabled = new Map([...element.querySelectorAll('button')].map((button) => [button, button.disabled]));
  for (const button of wasDisabled.keys()) button.disabled = true;
  try {
    await act();
  } catch (error) {
    say(element, error.message, 'alert');
    if (sendButton) sendButton.disabled = wasDisabled.get(sendButton) ?? sendButton.disabled;
  } finally {
    // The check decides whether files can be sent.
    for (const [button, disabled] of wasDisabled) if (button.name !== 'send') button.disabled = disabled;
    if (document.activeElement === document.body) focused.focus();
  }
}

function say(element, text, role = 'status') {
  note.className = role === 'alert' ? 'notice' : '';
  note.setAttribute('role', role);
  element.append(note);
  note.textContent = text;
}

/** Throws an error with a message for people. */
async function operation(method, path, { headers = {}, body } = {}) {
  const key = form.elements.key.value.trim();
  if (key === '') throw new Error('Enter your access key first.');
  keepKey(key);
  const all = { 'X-Requested-With': 'page', 'X-API-Key': key, ...headers };
  const answer = await fetch(`${base}/v1/Submissions${path}`, { method, headers: all, body }).catch(() => {
    throw new Error(
      'The service cannot be reached, or a file was changed after it was chosen. Choose the files again.',
    );
  });
  if (answer.ok) return answer;
  const { detail = 'The service cannot answer. Try again in a moment.' } = await answer.json().catch(() => ({}));
  throw new Error(detail);
}

function local(time) {
  return new Date(time).toLocaleString();
}
