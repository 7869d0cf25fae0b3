// The box that finds names while you type (D60): an ARIA combobox with a list of suggestions. Choosing one opens the page
// of a site, unit or right, or the explorer with a filter.

import { keepKey, readKey } from './tab-key.mjs';

/* global localStorage */

const COLLECTIONS = { Site: 'sites', ReportingUnit: 'reporting-units', Right: 'allocations' };
/** Kinds of the explorer by operation, in the order in which a state is looked for. */
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
  const states = findStates(query);
  try {
    const answer = await findWithKey(query);
    if (request !== newestRequest) return;
    const total = answer.total + states.length;
    show([...states, ...answer.found]);
    status.textContent =
      total === 0
        ? 'No matches. Try a county, town, owner or right number.'
        : `${total.toLocaleString()} found. Choose with the arrow keys.`;
  } catch (error) {
    if (request !== newestRequest) return;
    show(states);
    status.replaceChildren(...(error.nodes ?? [error.message]));
  }
}

/** If this browser's temporary key has expired, gets a new one once and tells the user. */
async function findWithKey(query) {
  const key = await getKey();
  try {
    return await find(query, key);
  } catch (error) {
    if (error.nodes === undefined || key === '' || key !== localStorage.getItem('water-data-browser-key')) throw error;
    return find(query, await getKey('Your temporary access has expired. Getting new access …'));
  }
}

async function find(query, key) {
  const headers = { 'X-Requested-With': 'page', ...(key === '' ? {} : { 'X-API-Key': key }) };
  const address = `v1/Find?${new URLSearchParams({ Query: query, RecordCount: MAX_SUGGESTIONS })}`;
  const response = await fetch(address, { headers });
  const answer = await response.json();
  if (!response.ok) throw response.status === 401 ? createKeyError(key) : new Error(answer.detail);
  const numbers = await fetchRightNumbers(answer.Found, headers);
  const found = answer.Found.map((item) => ({ ...item, Number: numbers.get(item.Identifier) }));
  return { total: answer.TotalFoundCount, found };
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

/** The key of this tab. Where the operator issues keys instantly, the page gets one for this browser (D56). */
async function getKey(reasonForNew = '') {
  const key = readKey();
  const { program } = input.form.dataset;
  const isNew = reasonForNew !== '';
  if (program === '' || (key !== '' && !isNew)) return key;
  status.textContent = isNew ? reasonForNew : 'Getting access for you. This takes a few seconds …';
  const { getBrowserKey } = await import(program);
  const browserKey = await getBrowserKey(input.form.action.replace(/\/explore$/, ''), { isNew });
  if (browserKey !== '') keepKey(browserKey);
  return browserKey;
}

/** The message has links, so it is more than a text. */
function createKeyError(key) {
  const link = document.createElement('a');
  link.href = 'keys';
  link.textContent = 'get one';
  const start = key === '' ? 'Search needs a free access key.' : 'This access key does not work or is no longer valid.';
  return Object.assign(new Error(start), { nodes: [`${start} Enter yours below or `, link, '.'] });
}

/** States with records, by the first letters of their name or by their abbreviation. The page lists them in its forms. */
function findStates(query) {
  const wanted = query.toLowerCase();
  const found = new Map();
  for (const operation of Object.keys(KINDS)) {
    const form = document.querySelector(`.card form[action$="/${operation}"]`);
    for (const { value, text } of form?.elements.State.options ?? []) {
      const isNamed = text.toLowerCase().startsWith(wanted) || value.toLowerCase() === wanted;
      if (value !== '' && isNamed && !found.has(value)) found.set(value, createState(text, value, operation));
    }
  }
  return [...found.values()];
}

function createState(name, abbreviation, operation) {
  return {
    Kind: 'State',
    Name: name,
    Identifier: null,
    RecordsCounts: { [operation]: 0 },
    Filter: `State=${abbreviation}`,
  };
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
  // The lists of states have no counts.
  const count = records === 0 ? [] : [`${records.toLocaleString()} ${records === 1 ? 'record' : 'records'}`];
  const name = describeName(item);
  const suggestion = { name, details: [...describeKind(item), ...count], address: getAddress(item) };
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
  return [...kind, ...[County, State].filter((text) => typeof text === 'string')];
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
