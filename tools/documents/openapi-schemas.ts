// The JSON schemas of the answers, derived from the declarations of the records. Members are in the order of the
// answer. Besides JSON, pages have other formats, such as CSV and GeoJSON (ADR 0033).

import { healthMembers } from '../../shared/http/operating/health';
import { type Operation, totalsOperations } from '../../shared/query/operations';
import {
  type AnswerLayout,
  DATA_SET_KINDS,
  type DataSetKind,
  dataSetLayouts,
  type OrganizationPart,
} from '../../shared/records/data-sets';
import { findMembers } from '../../shared/records/find-results';
import { downloadsMembers, inventoryMembers } from '../../shared/records/inventory';
import { type LookupKind, lookupMembers } from '../../shared/records/lookups';
import {
  listMember,
  type Member,
  type Members,
  objectMember,
  requiredBoolean,
  requiredCount,
  requiredText,
  text,
  withDescription,
} from '../../shared/records/object-definition';
import { placeLayouts } from '../../shared/records/places';
import { organizationMembers } from '../../shared/records/records';
import { facetsMembers, totaledVariableMembers, totalsMembers } from '../../shared/records/totals';
import { MEDIA_TYPES } from '../../shared/values/media-types';
import { omitMembers, problemSchema } from './openapi-responses';

export type Schema = Readonly<Record<string, unknown>>;
type NamedSchema = readonly [name: string, schema: Schema];

const layouts: readonly AnswerLayout[] = [
  ...DATA_SET_KINDS.map((kind) => dataSetLayouts[kind]),
  placeLayouts.Sites,
  placeLayouts.ReportingUnits,
];

/** Keyed by the names that `reference` uses. */
export function buildComponentSchemas(): Readonly<Record<string, Schema>> {
  const lookups = Object.entries(lookupMembers).map(([kind, members]) => nameSchema(getItemName(kind), members));
  return Object.fromEntries([
    ...layouts.flatMap(buildLayoutSchemas),
    ...lookups,
    ...DATA_SET_KINDS.flatMap(buildTotalsSchemas),
    nameSchema('Facets', facetsMembers, 'For each value, the number of matching records.'),
    ...DATA_SET_KINDS.map(buildRemovedSchema),
    nameSchema('Inventory', inventoryMembers, 'What is published, and the values to query it with.'),
    nameSchema('Find', findMembers, 'Search results by name.'),
    nameSchema('Downloads', downloadsMembers, 'The files to download.'),
    nameSchema('Health', healthMembers, 'What is published, and confirmation that it can be read.'),
    ['Problem', problemSchema],
    ['RecordFeatureCollection', RECORD_FEATURES],
    ['PlaceFeatureCollection', PLACE_FEATURES],
    ['Tileset', { type: 'object', description: 'OGC Tiles, or TileJSON 3.0.', additionalProperties: true }],
  ]);
}

function nameSchema(name: string, members: Members, description?: string): NamedSchema {
  return [name, { ...objectMember(members).schema, description }];
}

export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the schema of a page in JSON and in its other formats, keyed by media type. */
export function getPageContents({ kind, dataSet }: Operation): {
  readonly schema: Schema;
  readonly otherFormats: object;
} {
  switch (kind) {
    case 'records':
      return { schema: reference(`${dataSet}Answer`), otherFormats: RECORD_FORMATS };
    case 'totals':
      return { schema: reference(`${dataSet}Totals`), otherFormats: TOTALS_FORMATS };
    case 'facets':
      return { schema: reference('Facets'), otherFormats: FACETS_FORMATS };
    case 'places':
      return { schema: reference(`${dataSetLayouts[dataSet].placeKind}Answer`), otherFormats: PLACE_FORMATS };
    case 'removed':
      return { schema: reference(`${dataSet}Removed`), otherFormats: {} };
  }
}

/** The name of a single item. List names in answers are plurals ending in s. */
function getItemName(listName: string): string {
  return listName.slice(0, -1);
}

/** A place in a list of places has more members than a place that records refer to. */
function getListedName(kind: AnswerLayout['kind']): string {
  return kind in placeLayouts ? `Listed${getItemName(kind)}` : getItemName(kind);
}

/** A noun for the items of an answer. */
function getNoun({ kind }: AnswerLayout): string {
  if (kind === 'Sites') return 'sites';
  return kind === 'ReportingUnits' ? 'reporting units' : 'records';
}

function buildLayoutSchemas(layout: AnswerLayout): readonly NamedSchema[] {
  const { kind, countName, organization, recordMembers } = layout;
  const noun = getNoun(layout);
  const count: Member<unknown> = { schema: COUNT };
  const members: Members = Object.fromEntries(organization.map((part) => organizationMember(part, noun)));
  const suffix = kind in placeLayouts ? '' : ' and what they refer to';
  const answer = {
    [countName]: withDescription(count, `Number of ${noun} that match, on every page.`),
    Organizations: withDescription(
      listReference(`${kind}Organization`),
      `Organizations with ${noun} on this page, by OrganizationUUID. An organization may continue on the next page.`,
    ),
  };
  return [
    nameSchema(`${kind}Answer`, answer, `A page of ${noun}, grouped by organization.`),
    nameSchema(`${kind}Organization`, members, `An organization with its ${noun}${suffix}.`),
    nameSchema(getListedName(kind), recordMembers),
  ];
}

function organizationMember(part: OrganizationPart, noun: string): readonly [string, Members[string]] {
  const { name } = part;
  switch (part.kind) {
    case 'member':
      return [name, organizationMembers[part.name]];
    case 'records':
      return [name, withDescription(listReference(getListedName(part.name)), `The ${noun} of this page.`)];
    case 'lookups':
      return [name, withDescription(listReference(getItemName(name)), LOOKUP_DESCRIPTIONS[part.name])];
  }
}

const LOOKUP_DESCRIPTIONS: Readonly<Record<LookupKind, string>> = {
  VariableSpecifics: 'Variables that the records of this page refer to, by VariableSpecificUUID.',
  Methods: 'Methods that the records of this page refer to, by MethodUUID.',
  BeneficialUses: 'Beneficial uses that the records of this page list, by name.',
  WaterSources: 'Water sources that the records and sites of this page refer to, by WaterSourceUUID.',
  Sites: 'Sites that the records of this page refer to, with their geometries, by SiteUUID.',
  ReportingUnits: 'Reporting units that the records of this page refer to, by ReportingUnitUUID.',
};

function listReference(name: string): Member<unknown> {
  return listMember<unknown>({ schema: reference(name) });
}

/** The page of totals (D40), and one of its rows. */
function buildTotalsSchemas(kind: DataSetKind): readonly NamedSchema[] {
  const overlap = 'Whether a record can be in several groups, so that the rows add up to more than the total.';
  const page = {
    TotalGroupsCount: withDescription(requiredCount, 'Number of rows on all pages.'),
    GroupsOverlap: withDescription(requiredBoolean, overlap),
    Totals: withDescription(listReference(`${kind}TotalsRow`), 'Sorted by their members, null first.'),
  };
  // A group named after a member of the variable replaces that member, so none of these members is required.
  const variable = kind === 'WaterAllocations' ? {} : totaledVariableMembers;
  const { properties } = objectMember({
    ...omitMembers(listGroupMembers(kind), Object.keys(variable)),
    ...variable,
    ...totalsMembers[kind],
  }).schema;
  const row = {
    type: 'object',
    properties,
    required: Object.keys(totalsMembers[kind]),
    additionalProperties: false,
    description: 'First the groups requested with GroupBy, under its names: text, or null for records without a value.',
  };
  return [nameSchema(`${kind}Totals`, page, 'A page of totals.'), [`${kind}TotalsRow`, row]];
}

/** The members for the names in GroupBy. A row has the members that were requested. */
function listGroupMembers(kind: DataSetKind): Readonly<Record<string, Member<unknown>>> {
  const operation = totalsOperations.find(({ dataSet }) => dataSet === kind);
  const names = operation?.parameters.find((parameter) => parameter.kind === 'groupBy')?.limits?.enum ?? [];
  const member = withDescription(text, 'The group, if GroupBy lists it; null for records without a value.');
  return Object.fromEntries(names.map((name) => [name, member]));
}

/** The keys of removed records (D37). */
function buildRemovedSchema(kind: DataSetKind): NamedSchema {
  const { keyMembers, recordMembers } = dataSetLayouts[kind];
  const key = objectMember(
    Object.fromEntries(Object.entries(recordMembers).filter(([name]) => keyMembers.includes(name))),
  );
  const removed = objectMember({
    OrganizationUUID: withDescription(requiredText, 'The organization of the record.'),
    Key: withDescription(key, 'The members that identify the record within its organization.'),
  });
  const page = {
    TotalRemovedCount: withDescription(requiredCount, 'Number of removed records on all pages.'),
    Removed: withDescription(listMember(removed), 'In the original order of the records.'),
  };
  const description = 'A page of keys of records that are in an earlier data version but not in the current one.';
  return nameSchema(`${kind}Removed`, page, description);
}

const COUNT = { type: 'integer', minimum: 0 };

const FEATURE = {
  type: 'object',
  required: ['type', 'id', 'geometry', 'properties'],
  properties: {
    type: { const: 'Feature', type: 'string', description: 'What the object is.' },
    id: {
      type: 'string',
      description: 'Does not change when data is published: the same record and place always have the same id.',
    },
    geometry: {
      type: ['object', 'null'],
      description: 'Longitude, then latitude, WGS 84; null if there is no place.',
      additionalProperties: true,
    },
    properties: {
      type: 'object',
      description: "The record's members, its organization and its place.",
      additionalProperties: true,
    },
  },
};

const PLACE_FEATURE = {
  ...FEATURE,
  properties: {
    ...FEATURE.properties,
    id: { type: 'string', description: 'The organization, `~` and the place identifier.' },
    geometry: {
      type: ['object', 'null'],
      description: 'Longitude, then latitude, WGS 84; null if there is no location.',
      additionalProperties: true,
    },
    properties: {
      type: 'object',
      description: 'The columns of the table; lists are JSON lists.',
      additionalProperties: true,
    },
  },
};

const RECORD_FEATURES = buildFeatureCollection(
  FEATURE,
  'One feature per record and place: a right with three sites has three.',
  'records',
);

const PLACE_FEATURES = buildFeatureCollection(PLACE_FEATURE, 'One feature per place.', 'places');

const RECORD_FORMATS = {
  ...buildCsvFormat(
    "One row for each record: the organization, the record's members, then the columns of its place, variable, method, water source and uses. " +
      'A list is one cell, joined with `|` (`\\|` and `\\\\` within an item). A text cell that a spreadsheet would run as a formula ' +
      'begins with an apostrophe; remove one leading apostrophe to undo it.',
  ),
  [MEDIA_TYPES.geojson]: { schema: reference('RecordFeatureCollection') },
};

const PLACE_FORMATS = {
  ...buildCsvFormat(
    'One row for each place: the organization, the members of the place, then one column for each member of its series, ' +
      'with the values of all series as a list. The lists of a place have the same order. Lists and leading apostrophes are written as in the table of records.',
  ),
  [MEDIA_TYPES.geojson]: { schema: reference('PlaceFeatureCollection') },
};

const TOTALS_FORMATS = buildCsvFormat('One row per row of the JSON answer, with its members as columns.');

const FACETS_FORMATS = buildCsvFormat('One row per value, with the name of its facet and its count.');

function buildCsvFormat(description: string): object {
  return { [MEDIA_TYPES.csv]: { schema: { type: 'string', description } } };
}

function buildFeatureCollection(feature: object, description: string, noun: string): Schema {
  return {
    type: 'object',
    description,
    required: ['type', 'numberMatched', 'numberReturned', 'features'],
    properties: {
      type: { const: 'FeatureCollection', type: 'string', description: 'What the object is.' },
      numberMatched: { ...COUNT, description: `How many ${noun} match, on all pages.` },
      numberReturned: { ...COUNT, description: `How many ${noun} are on this page.` },
      features: { type: 'array', items: feature, description: 'In the order of the other formats.' },
    },
  };
}
