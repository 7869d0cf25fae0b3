// The box that finds by name while somebody types (D60): a combobox with a list of suggestions by the practice of ARIA,
// whose choice leads to the page of a thing or to the explorer with its filter.

import { readKey } from './tab-key.mjs';

const COLLECTIONS = { Site: 'sites', ReportingUnit: 'reporting-units', Right: 'allocations' };
const KINDS = { SiteAllocationAmounts: 'rights', SiteVariableAmounts: 'series', AggregatedAmounts: 'aggregates' };
const WORDS = { ReportingUnit: 'Reporting unit', Right: 'Water right', HUC8: 'Watershed', HUC12: 'Watershed' };
const MOST = 8;
const TYPING_MS = 150;

const input = document.getElementById('find');
const list = document.getElementById('found');
const status = document.getElementById('find-status');
let active = -1;
/** The newest question, whose answer alone is shown. */
let asked = 0;

input.addEventListener('input', () => {
  const typed = input.value;
  setTimeout(() => {
    if (input.value === typed) void suggest();
  }, TYPING_MS);
});
input.addEventListener('keydown', (event) => {
  const { key } = event;
  const { length } = list.children;
  if (key === 'Escape') {
    if (list.hidden) input.value = '';
    show([]);
    return;
  }
  if (key === 'Enter' && active >= 0) list.children[active].click();
  else if (key === 'ArrowDown' && length > 0) activate((active + 1) % length);
  else if (key === 'ArrowUp' && length > 0) activate((active < 1 ? length : active) - 1);
  else return;
  event.preventDefault();
});
// A click comes after the box has lost the focus, and the list with it.
list.addEventListener('mousedown', (event) => event.preventDefault());
input.addEventListener('blur', () => show([]));
input.form.addEventListener('submit', (event) => {
  event.preventDefault();
  void suggest();
});

async function suggest() {
  const own = ++asked;
  const query = input.value.trim();
  if (!/[\p{L}\p{N}]/u.test(query)) {
    show([]);
    status.textContent = '';
    return;
  }
  const address = `v1/Find?${new URLSearchParams({ Query: query, RecordCount: MOST })}`;
  const key = readKey();
  const headers = { 'X-Requested-With': 'page', ...(key === '' ? {} : { 'X-API-Key': key }) };
  try {
    const response = await fetch(address, { headers });
    const answer = await response.json();
    if (own !== asked) return;
    if (!response.ok) throw new Error(response.status === 401 ? 'A key is needed: put yours in below.' : answer.detail);
    show(answer.Found);
    const { TotalFoundCount: total } = answer;
    status.textContent =
      total === 0 ? 'Nothing has such a name.' : `${total.toLocaleString()} found. Choose with the arrow keys.`;
  } catch (error) {
    if (own !== asked) return;
    show([]);
    status.textContent = error.message;
  }
}

function show(found) {
  list.replaceChildren(...found.map(optionOf));
  list.hidden = found.length === 0;
  input.setAttribute('aria-expanded', String(found.length > 0));
  activate(-1);
}

function optionOf(item, at) {
  const option = document.createElement('li');
  option.id = `found-${at}`;
  option.setAttribute('role', 'option');
  option.addEventListener('click', () => location.assign(addressOf(item)));
  const records = Object.values(item.RecordsCounts).reduce((sum, count) => sum + count, 0);
  const where = [WORDS[item.Kind] ?? item.Kind, item.County, item.State].filter((text) => text !== null).join(', ');
  const name = document.createElement('strong');
  name.textContent = item.Name ?? item.Identifier ?? item.Filter;
  const more = document.createElement('span');
  more.textContent = `${where}: ${records.toLocaleString()} records`;
  option.append(name, ' ', more);
  return option;
}

function addressOf({ Kind, OrganizationUUID, Identifier, RecordsCounts, Filter }) {
  const collection = COLLECTIONS[Kind];
  if (collection !== undefined && Identifier !== null) {
    return `ogc/collections/${collection}/items/${encodeURIComponent(`${OrganizationUUID}~${Identifier}`)}`;
  }
  const [[operation]] = Object.entries(RecordsCounts).sort(([, a], [, b]) => b - a);
  return `explore?kind=${KINDS[operation]}&${Filter}`;
}

/** -1 for none. */
function activate(at) {
  active = at;
  for (const [index, option] of [...list.children].entries())
    option.setAttribute('aria-selected', String(index === at));
  if (at < 0) input.removeAttribute('aria-activedescendant');
  else input.setAttribute('aria-activedescendant', `found-${at}`);
}
