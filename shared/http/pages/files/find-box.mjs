// The box that finds names while you type (D60): an ARIA combobox with a list of suggestions. Choosing one opens the page
// of a site, unit or right, or the explorer with a filter.

import { readKey } from './tab-key.mjs';

const COLLECTIONS = { Site: 'sites', ReportingUnit: 'reporting-units', Right: 'allocations' };
const KINDS = { SiteAllocationAmounts: 'rights', SiteVariableAmounts: 'series', AggregatedAmounts: 'aggregates' };
const WORDS = {
  ReportingUnit: 'Reporting unit',
  Right: 'Water right',
  HUC8: 'Watershed',
  HUC12: 'Subwatershed',
  Use: 'Use',
};

/** The boundary parameter of each operation. Each operation also accepts the other name. */
const BOUNDARIES = { SiteAllocationAmounts: 'SearchGeometry' };
const MAX_SUGGESTIONS = 8;
const TYPING_MS = 150;

const input = document.getElementById('find');
const list = document.getElementById('found');
const status = document.getElementById('find-status');
let active = -1;
/** The number of the newest request. Older answers are dropped. */
let newestRequest = 0;

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
  // Enter takes the first suggestion unless another one is chosen.
  if (key === 'Enter' && length > 0) list.children[Math.max(active, 0)].click();
  else if (key === 'ArrowDown' && length > 0) activate((active + 1) % length);
  else if (key === 'ArrowUp' && length > 0) activate((active < 1 ? length : active) - 1);
  else return;
  event.preventDefault();
});
// Without this the box would lose the focus before the click, and the list would be hidden.
list.addEventListener('mousedown', (event) => event.preventDefault());
input.addEventListener('blur', () => show([]));
input.form.addEventListener('submit', (event) => {
  event.preventDefault();
  void suggest();
});

async function suggest() {
  newestRequest++;
  const request = newestRequest;
  const query = input.value.trim();
  if (!/[\p{L}\p{N}]/u.test(query)) {
    show([]);
    status.textContent = '';
    return;
  }
  const address = `v1/Find?${new URLSearchParams({ Query: query, RecordCount: MAX_SUGGESTIONS })}`;
  const key = readKey();
  const headers = { 'X-Requested-With': 'page', ...(key === '' ? {} : { 'X-API-Key': key }) };
  try {
    const response = await fetch(address, { headers });
    const answer = await response.json();
    if (request !== newestRequest) return;
    if (!response.ok)
      throw new Error(response.status === 401 ? 'Search needs an access key. Enter yours below.' : answer.detail);
    const numbers = await fetchRightNumbers(answer.Found, headers);
    if (request !== newestRequest) return;
    show(answer.Found.map((item) => ({ ...item, Number: numbers.get(item.Identifier) })));
    const { TotalFoundCount: total } = answer;
    status.textContent = total === 0 ? 'No matches.' : `${total.toLocaleString()} found. Choose with the arrow keys.`;
  } catch (error) {
    if (request !== newestRequest) return;
    show([]);
    status.textContent = error.message;
  }
}

/** The organizations' numbers of rights, by universal identifier. Find does not have them, but people know them. */
async function fetchRightNumbers(items, headers) {
  const rights = items.filter(({ Kind, Identifier }) => Kind === 'Right' && Identifier !== null);
  if (rights.length === 0) return new Map();
  const query = new URLSearchParams(rights.map(({ Identifier }) => ['AllocationUUID', Identifier]));
  // Without them, suggestions have the identifiers.
  const response = await fetch(`v1/SiteAllocationAmounts?${query}`, { headers }).catch(() => undefined);
  if (!response?.ok) return new Map();
  const { Organizations } = await response.json();
  const found = Organizations.flatMap(({ WaterAllocations }) => WaterAllocations);
  return new Map(found.map(({ AllocationUUID, AllocationNativeID }) => [AllocationUUID, AllocationNativeID]));
}

function show(items) {
  list.replaceChildren(...items.flatMap(listSuggestions).map(createOption));
  list.hidden = items.length === 0;
  input.setAttribute('aria-expanded', String(items.length > 0));
  activate(-1);
}

function createOption({ name, details, address }, index) {
  const option = document.createElement('li');
  option.id = `found-${index}`;
  option.setAttribute('role', 'option');
  option.addEventListener('click', () => location.assign(address));
  const strong = document.createElement('strong');
  strong.textContent = name;
  const more = document.createElement('span');
  more.textContent = details.join(' · ');
  option.append(strong, ' ', more);
  return option;
}

/** An item of the answer, and the brief of a county or watershed. */
function listSuggestions(item) {
  const records = Object.values(item.RecordsCounts).reduce((sum, count) => sum + count, 0);
  const count = `${records.toLocaleString()} ${records === 1 ? 'record' : 'records'}`;
  const name = describeName(item);
  const suggestion = { name, details: [...describeKind(item), count], address: getAddress(item) };
  if (item.Kind !== 'County' && item.Kind !== 'HUC8') return [suggestion];
  const brief = { name: `Brief of ${name}`, details: ['one page to read or print'] };
  return [suggestion, { ...brief, address: `explore/brief?${item.Filter}` }];
}

/** Names a county with its state, because several states have a county of that name, and a right by its number. */
function describeName({ Kind, Name, Identifier, State, Filter, Number: number }) {
  if (Kind === 'County') return `${/county$/i.test(Name) ? Name : `${Name} County`}, ${State}`;
  if (Kind === 'Right')
    return `Water right ${number ?? new URLSearchParams(Filter).get('AllocationNativeID') ?? Identifier}`;
  if (Kind === 'HUC8' || Kind === 'HUC12') return `${WORDS[Kind]} ${Identifier}`;
  return Name ?? Identifier ?? Filter;
}

/** Details that are not part of the name. */
function describeKind({ Kind, County, State }) {
  if (Kind === 'County' || Kind === 'HUC8' || Kind === 'HUC12') return [];
  const kind = Kind === 'Right' ? [] : [WORDS[Kind] ?? Kind];
  return [...kind, ...[County, State].filter((text) => text !== null)];
}

function getAddress({ Kind, OrganizationUUID, Identifier, RecordsCounts, Filter }) {
  const collection = COLLECTIONS[Kind];
  if (collection !== undefined && Identifier !== null) {
    return `ogc/collections/${collection}/items/${encodeURIComponent(`${OrganizationUUID}~${Identifier}`)}`;
  }
  const [[operation]] = Object.entries(RecordsCounts).sort(([, a], [, b]) => b - a);
  const filter = Filter.replace(/^SearchBoundary=/, `${BOUNDARIES[operation] ?? 'SearchBoundary'}=`);
  return `explore?kind=${KINDS[operation]}&${filter}`;
}

/** -1 selects no option. */
function activate(position) {
  active = position;
  for (const [index, option] of [...list.children].entries()) {
    option.setAttribute('aria-selected', String(index === position));
  }
  if (position < 0) input.removeAttribute('aria-activedescendant');
  else input.setAttribute('aria-activedescendant', `found-${position}`);
}
