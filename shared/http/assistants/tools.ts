// The five tools of assistants (D67) as clients list them: names, descriptions, and schemas of arguments and answers.
// Arguments are the parameters of operations. A schema lists the values of a filter if the data contain only a few.

import type { Tool } from '@modelcontextprotocol/server';
import { featureCollections } from '../../query/cql2/feature-collections';
import {
  type Operation,
  type OperationParameter,
  operations,
  placesOperations,
  totalsOperations,
} from '../../query/operations';
import { NAMED_KINDS } from '../../records/find-results';
import type { InventoryOrganization } from '../../records/inventory';
import { hasOwnPage } from '../ogc/addresses';

type Schema = NonNullable<Tool['inputSchema']['properties']>;

/** The operations on records and on places that the tool `records` can query. */
export const listableOperations: readonly Operation[] = [...operations, ...placesOperations];

/** The collections of sites, reporting units and rights, whose features have their own pages. */
export const thingCollections = featureCollections.filter(hasOwnPage);

export const MAX_RECORDS = 50;
export const MAX_ROWS = 200;
const MAX_QUERY_LENGTH = 500;

/** Parameters that tools do not accept: each tool determines the page and the format itself. */
const PAGE_KINDS: ReadonlySet<OperationParameter['kind']> = new Set(['startIndex', 'recordCount', 'format']);

/** Lists the parameters that `filters` and `groupBy` accept. */
export function listToolParameters({ parameters }: Operation): readonly OperationParameter[] {
  return parameters.filter(({ kind }) => !PAGE_KINDS.has(kind));
}

/** The values of filters with only a few values, keyed by filter name; see `shortVocabulary`. */
export type Choices = ReadonlyMap<string, readonly string[]>;

/** Listing more values, or longer ones, would cost more tokens in each conversation than it saves. */
const MAX_CHOICES = 12;
const MAX_CHOICES_LENGTH = 240;

export function collectChoices(organizations: readonly InventoryOrganization[]): Choices {
  const vocabularies = organizations.flatMap(({ DataSets }) => DataSets.map(({ Vocabulary }) => Vocabulary));
  const found = vocabularies.flatMap((vocabulary) =>
    Object.entries(vocabulary).flatMap(([name, values]) => values.map(({ Value }) => ({ name, value: Value }))),
  );
  const ids = organizations.map(({ OrganizationUUID: value }) => ({ name: 'OrganizationUUID', value }));
  const choices = [...Map.groupBy([...ids, ...found], ({ name }) => name)].map(([name, all]) => {
    return [name, [...new Set(all.map(({ value }) => value))].sort()] as const;
  });
  return new Map(choices.filter(([, all]) => all.length <= MAX_CHOICES && all.join().length <= MAX_CHOICES_LENGTH));
}

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
const oneOf = (names: readonly string[], description: string): Schema => text(description, { enum: [...names] });

/**
 * Builds one schema for the filters of several operations. A repeatable filter takes a list; any of its values may
 * match.
 */
function buildFiltersSchema(listed: readonly Operation[], choices: Choices): Schema {
  const parameters = listed.flatMap(listToolParameters);
  const filters = parameters.filter(({ kind }) => kind !== 'groupBy' && kind !== 'dataVersion');
  const properties = filters.map(({ kind, name, type, limits, isRepeatable = false, meaning }) => {
    const known = limits?.enum ?? choices.get(name);
    const value: Schema = { type, ...(known === undefined ? {} : { enum: [...known] }) };
    const said = kind === 'boundary' ? { description: meaning } : {};
    return [name, isRepeatable ? { type: 'array', items: value } : { ...value, ...said }] as const;
  });
  // Operations may spell the same filter differently.
  const byName = new Map(properties.map((property) => [property[0].toLowerCase(), property] as const).toReversed());
  return {
    type: 'object',
    properties: Object.fromEntries([...byName.values()].toReversed()),
    description: 'Parameters of the operation of this kind; describe with kind explains each.',
  };
}

const ANSWER: Tool['outputSchema'] = {
  type: 'object',
  properties: {
    address: text('Returns the same answer over HTTP; it contains no key.'),
    dataVersion: text('The version of the data.'),
    shown: { type: 'integer', description: 'Number of rows in this answer.' },
    matched: { type: 'integer', description: 'Total number of rows.' },
    rows: { type: 'array', items: { type: 'object' } },
    units: { type: 'object', description: 'Units of the members that are amounts.' },
    licences: { type: 'array', items: { type: 'object' }, description: 'The source of the data, and how to cite it.' },
    caveats: { type: 'array', items: { type: 'string' }, description: 'Report these together with the figures.' },
  },
  required: ['address', 'dataVersion', 'shown', 'matched', 'rows', 'licences', 'caveats'],
};

interface ToolText {
  readonly title: string;
  readonly description: string;
  readonly required: string[];
  /** Builds the schemas of the arguments. */
  readonly buildArguments: (choices: Choices) => Schema;
}

function buildKindSchema(listed: readonly Operation[]): Schema {
  const names = listed.map(({ name }) => name);
  return oneOf(names, 'Kind of records.');
}

const TOOLS = {
  find: {
    title: 'Find by name',
    description:
      'Finds sites, reporting units, water rights, owners, counties, watersheds, uses, variables and organizations by name ' +
      'or identifier. Start here if the question names a place, a person or a term. The beginning of a word is enough. ' +
      'Each row has the filters for totals and records, the number of records that they match, and the collection and ' +
      'id for thing.',
    required: ['query'],
    buildArguments: () => ({
      query: text('Words from a name, or an identifier.', { maxLength: MAX_QUERY_LENGTH }),
      kind: oneOf(NAMED_KINDS, 'Return only this kind.'),
      state: text('Two-letter abbreviation or name of the state.'),
    }),
  },
  describe: {
    title: 'Describe the data',
    description:
      'Lists what is published: for each organization and kind of records, the period, the number of records, variables ' +
      'with units, values of filters, license and known limits. With kind, it also explains the filters, groupBy and ' +
      'OrderBy of that kind. Call it before totals if you are not sure what exists or how a value is spelled.',
    required: [],
    buildArguments: (choices) => {
      const known = choices.get('OrganizationUUID');
      const organization = text('OrganizationUUID.', known === undefined ? {} : { enum: [...known] });
      return { organization, kind: buildKindSchema(listableOperations) };
    },
  },
  totals: {
    title: 'Add up',
    description:
      'Counts, sums, means, minimums and maximums of all matching records, in groups (groupBy, such as Year, County, ' +
      'UseCategoryCV). Use it for every "how much" or "how many" question: never add up records yourself, nor rows of ' +
      'different variables or units. orderBy names a member of the rows, with a leading - for the largest first. There ' +
      'are at most 200 rows. SiteVariableAmounts are time series of sites, AggregatedAmounts are amounts of counties ' +
      'and other areas, SiteAllocationAmounts are water rights.',
    required: ['kind'],
    buildArguments: (choices) => ({
      kind: buildKindSchema(operations),
      filters: buildFiltersSchema(totalsOperations, choices),
      groupBy: {
        type: 'array',
        maxItems: 3,
        items: { type: 'string' },
        description: 'If it is omitted, there is one total.',
      },
      orderBy: text('Such as -Sum, -RecordsCount, -VolumeSum.'),
    }),
  },
  records: {
    title: 'Show records',
    description:
      'Shows up to 50 matching records, sites or reporting units, with a link to all of them. Use it for examples, ' +
      'and for the first ones in an order (OrderBy in filters, such as AllocationPriorityDate or -Amount), not for sums.',
    required: ['kind'],
    buildArguments: (choices) => ({
      kind: buildKindSchema(listableOperations),
      filters: buildFiltersSchema(listableOperations, choices),
      limit: { type: 'integer', minimum: 1, maximum: MAX_RECORDS, description: 'Defaults to 10.' },
    }),
  },
  thing: {
    title: 'Show one item',
    description:
      'Shows everything about one site, reporting unit or water right; the series of a place are summarized. The ' +
      'collection and id come from find or records. The address is also its page.',
    required: ['collection', 'id'],
    buildArguments: () => ({
      collection: text('The collection that the item is in.', { enum: thingCollections.map(({ id }) => id) }),
      id: text('The id from find or records.'),
    }),
  },
} satisfies Readonly<Record<string, ToolText>>;

export type ToolName = keyof typeof TOOLS;

const toolNames = Object.keys(TOOLS) as readonly ToolName[]; // TOOLS has no other keys.

export function listTools(choices: Choices): (Tool & { readonly name: ToolName })[] {
  return toolNames.map((name) => {
    const { title, description, required, buildArguments: buildArguments }: ToolText = TOOLS[name];
    return {
      name,
      title,
      description,
      outputSchema: ANSWER,
      inputSchema: { type: 'object', properties: buildArguments(choices), required },
      annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    };
  });
}
