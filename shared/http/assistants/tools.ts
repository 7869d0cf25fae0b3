// The five tools of assistants (D67) as a client lists them: names, descriptions, and the schemas of arguments and
// answers. Arguments are the parameters of the operations, with the values that the data have where these are few.

import type { Tool } from '@modelcontextprotocol/server';
import { featureCollections } from '../../query/cql2/feature-collections';
import {
  operations,
  placesOperations,
  requestParameters,
  totalsOperations,
  type Operation,
  type OperationParameter,
  type RequestParameters,
} from '../../query/operations';
import { FOUND_KINDS } from '../../records/found';
import type { InventoryOrganization } from '../../records/inventory';
import { hasOwnPage } from '../ogc/addresses';

export type ToolName = 'find' | 'describe' | 'totals' | 'records' | 'thing';

type Schema = NonNullable<Tool['inputSchema']['properties']>;

/** The operations that have records, and those that have places: what `records` shows. */
export const shownOperations: readonly Operation[] = [...operations, ...placesOperations];

/** Sites, reporting units and rights, which have pages of their own. */
export const thingCollections = featureCollections.filter(hasOwnPage);

export const MOST_RECORDS = 50;
export const MOST_ROWS = 200;
const LONGEST_QUERY = 500;

/** A model asks for a page and its form by the tool itself. */
const NOT_ASKED: ReadonlySet<OperationParameter['kind']> = new Set(['startIndex', 'recordCount', 'format']);

/** What `filters` may have, and `groupBy` beside it. */
export function askedParameters({ parameters }: Operation): RequestParameters {
  return requestParameters(parameters.filter(({ kind }) => !NOT_ASKED.has(kind)));
}

/** Values of filters by name, where the data have few of them; see `shortVocabulary`. */
export type Choices = ReadonlyMap<string, readonly string[]>;

/** Many values, or long ones, would cost each conversation more than they help. */
const MOST_CHOICES = 12;
const LONGEST_CHOICES = 240;

export function choicesOf(organizations: readonly InventoryOrganization[]): Choices {
  const found = new Map<string, Set<string>>();
  const add = (name: string, values: readonly string[]): void => {
    found.set(name, new Set([...(found.get(name) ?? []), ...values]));
  };
  for (const { OrganizationUUID, DataSets } of organizations) {
    add('OrganizationUUID', [OrganizationUUID]);
    for (const { Vocabulary } of DataSets) {
      for (const [name, values] of Object.entries(Vocabulary)) {
        add(
          name,
          values.map(({ Value }) => Value),
        );
      }
    }
  }
  const isShort = (values: ReadonlySet<string>): boolean =>
    values.size <= MOST_CHOICES && [...values].join().length <= LONGEST_CHOICES;
  return new Map([...found].flatMap(([name, values]) => (isShort(values) ? [[name, [...values].sort()]] : [])));
}

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
const oneOf = (names: readonly string[], description: string): Schema => text(description, { enum: [...names] });

/** The filters of several operations in one schema: a repeatable one takes a list, of which any value matches. */
function filtersSchema(listed: readonly Operation[], choices: Choices): Schema {
  const parameters = listed.flatMap((operation) => askedParameters(operation).parameters);
  const filters = parameters.filter(({ kind }) => kind !== 'groupBy' && kind !== 'dataVersion');
  const properties = filters.map(({ kind, name, type, limits, isRepeatable, meaning }) => {
    const known = limits?.enum ?? choices.get(name);
    const value: Schema = { type, ...(known === undefined ? {} : { enum: [...known] }) };
    const said = kind === 'boundary' ? { description: meaning } : {};
    return [name, isRepeatable ? { type: 'array', items: value } : { ...value, ...said }] as const;
  });
  return {
    ...{ type: 'object', properties: Object.fromEntries(properties), additionalProperties: false },
    description: 'Parameters of the operation of this kind; describe with kind explains each.',
  };
}

const ANSWER: Tool['outputSchema'] = {
  type: 'object',
  properties: {
    address: text('Reproduces the answer over HTTP; it has no key.'),
    dataVersion: text('Version of the data.'),
    shown: { type: 'integer', description: 'How many rows are here.' },
    matched: { type: 'integer', description: 'How many there are in all.' },
    rows: { type: 'array', items: { type: 'object' } },
    units: { type: 'object', description: 'Units of the members that are amounts.' },
    licences: { type: 'array', items: { type: 'object' }, description: 'Whose data they are, and how to cite them.' },
    caveats: { type: 'array', items: { type: 'string' }, description: 'Say them with the figures.' },
  },
  required: ['address', 'dataVersion', 'shown', 'matched', 'rows', 'licences', 'caveats'],
};

const DESCRIPTIONS: Readonly<Record<ToolName, readonly [title: string, description: string]>> = {
  find: [
    'Find by name',
    'Finds what has a name or an identifier: sites, reporting units, water rights, owners, counties, watersheds, uses, ' +
      'variables, organizations. Start here when the question names a place, a person or a term. Words match by their ' +
      'beginnings. Each row has the filters for totals and records, how many records they find, and the collection and ' +
      'id for thing.',
  ],
  describe: [
    'Describe the data',
    'Says what is published: for each organization and kind of records the period, how many there are, variables with ' +
      'units, values of filters, licence and known limits. With kind it also explains the filters, groupBy and OrderBy ' +
      'of that kind. Ask it before totals when you are not sure what exists or how a value is spelled.',
  ],
  totals: [
    'Add up',
    'Counts, sums, means, smallest and largest of all records that match, in groups (groupBy, such as Year, County, ' +
      'UseCategoryCV). Use it for every question of how much or how many: never add up records yourself, nor rows of ' +
      'different variables or units. orderBy names a member of the rows, with - for the largest first; at most 200 ' +
      'rows. SiteVariableAmounts are time series of sites, AggregatedAmounts are of counties and other areas, ' +
      'SiteAllocationAmounts are water rights.',
  ],
  records: [
    'Show records',
    'Shows single records, sites or reporting units that match, at most 50, with the address of all of them. For ' +
      'examples, and for the first by OrderBy in filters (such as AllocationPriorityDate or -Amount); not for sums.',
  ],
  thing: [
    'Show one thing',
    'Shows one site, reporting unit or water right whole, a place with its series in short. find and records give the ' +
      'collection and id; the address is also its page.',
  ],
};

/** The properties of the arguments, and those that are required. */
type Arguments = readonly [properties: Schema, required: string[]];

function kindOf(listed: readonly Operation[]): Schema {
  const names = listed.map(({ name }) => name);
  return oneOf(names, 'Kind of records.');
}

function argumentsOf(name: ToolName, choices: Choices): Arguments {
  switch (name) {
    case 'find': {
      const query = text('Words of a name, or an identifier.', { maxLength: LONGEST_QUERY });
      return [{ query, kind: oneOf(FOUND_KINDS, 'Only this kind.'), state: text('Two letters.') }, ['query']];
    }
    case 'describe': {
      const known = choices.get('OrganizationUUID');
      const organization = text('OrganizationUUID.', known === undefined ? {} : { enum: [...known] });
      return [{ organization, kind: kindOf(operations) }, []];
    }
    case 'totals': {
      const groups = { type: 'array', maxItems: 3, items: { type: 'string' }, description: 'Without it, one total.' };
      const filters = filtersSchema(totalsOperations, choices);
      const orderBy = text('Such as -Sum, -RecordsCount, -VolumeSum.');
      return [{ kind: kindOf(operations), filters, groupBy: groups, orderBy }, ['kind']];
    }
    case 'records': {
      const limit = { type: 'integer', minimum: 1, maximum: MOST_RECORDS, default: 10 };
      return [{ kind: kindOf(shownOperations), filters: filtersSchema(shownOperations, choices), limit }, ['kind']];
    }
    case 'thing': {
      const ids = thingCollections.map(({ id }) => id);
      const id = text('As find and records give it.');
      return [{ collection: oneOf(ids, 'What it is one of.'), id }, ['collection', 'id']];
    }
  }
}

export function toolsWith(choices: Choices): Tool[] {
  return toolNames.map((name) => {
    const [title, description] = DESCRIPTIONS[name];
    const [properties, required] = argumentsOf(name, choices);
    return {
      ...{ name, title, description, outputSchema: ANSWER },
      inputSchema: { type: 'object', properties, required, additionalProperties: false },
      annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    };
  });
}

export const toolNames: readonly ToolName[] = ['find', 'describe', 'totals', 'records', 'thing'];
