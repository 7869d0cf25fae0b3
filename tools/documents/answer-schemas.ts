// JSON schemas of the answers, from the declarations of the records. Members stand in the answer's order.

import {
  DATA_SET_KINDS,
  dataSetLayouts,
  type AnswerLayout,
  type OrganizationPart,
} from '../../shared/records/data-sets';
import { lookupMembers, type LookupKind } from '../../shared/records/lookups';
import { objectOf, type Members } from '../../shared/records/object-definition';
import { organizationMembers } from '../../shared/records/organization';
import { placeLayouts } from '../../shared/records/places';

type Schema = Readonly<Record<string, unknown>>;

const layouts: readonly AnswerLayout[] = [
  ...DATA_SET_KINDS.map((kind) => dataSetLayouts[kind]),
  ...[placeLayouts.Sites, placeLayouts.ReportingUnits],
];

export function answerSchemas(): Readonly<Record<string, Schema>> {
  const lookups = Object.entries(lookupMembers).map(([kind, members]): [string, Schema] => [
    itemName(kind),
    objectOf(members).schema,
  ]);
  const ofLayouts = layouts.flatMap((layout): readonly [string, Schema][] => [
    [answerSchemaName(layout), answerSchema(layout)],
    [`${layout.kind}Organization`, organizationSchema(layout)],
    [listedName(layout.kind), objectOf(layout.recordMembers).schema],
  ]);
  return Object.fromEntries([...ofLayouts, ...lookups]);
}

export function answerSchemaName({ kind }: AnswerLayout): string {
  return `${kind}Answer`;
}

/** The name of an item: the names of the answer's lists are plurals with an s. */
function itemName(listName: string): string {
  return listName.slice(0, -1);
}

/** A place that is listed has more members than one that records refer to. */
function listedName(kind: AnswerLayout['kind']): string {
  return kind in placeLayouts ? `Listed${itemName(kind)}` : itemName(kind);
}

/** What an answer lists, in words. */
function wordOf({ kind }: AnswerLayout): string {
  if (kind === 'Sites') return 'sites';
  return kind === 'ReportingUnits' ? 'reporting units' : 'records';
}

function answerSchema(layout: AnswerLayout): Schema {
  const word = wordOf(layout);
  const total = { type: 'integer', minimum: 0, description: `Number of ${word} that match, on every page.` };
  const list = {
    ...listOfSchema(`${layout.kind}Organization`),
    description: `Those with ${word} on this page, by OrganizationUUID; one may continue on the next page.`,
  };
  return {
    ...objectOf({ [layout.countName]: { schema: total }, Organizations: { schema: list } }).schema,
    description: `A page of ${word}, grouped by organization.`,
  };
}

function organizationSchema(layout: AnswerLayout): Schema {
  const members: Members = Object.fromEntries(layout.organization.map((part) => memberOf(part, layout)));
  const further = layout.kind in placeLayouts ? '' : ' and what they refer to';
  return { ...objectOf(members).schema, description: `An organization with its ${wordOf(layout)}${further}.` };
}

function memberOf(part: OrganizationPart, layout: AnswerLayout): [string, Members[string]] {
  if (part.kind === 'member') return [part.name, organizationMembers[part.name]];
  if (part.kind === 'records') {
    const description = `The ${wordOf(layout)} of this page.`;
    return [part.name, { schema: { ...listOfSchema(listedName(part.name)), description } }];
  }
  const description = lookupDescriptions[part.name];
  return [part.name, { schema: { ...listOfSchema(itemName(part.name)), description } }];
}

const lookupDescriptions: Readonly<Record<LookupKind, string>> = {
  VariableSpecifics: 'Variables that the records of this page refer to, by VariableSpecificUUID.',
  Methods: 'Methods that the records of this page refer to, by MethodUUID.',
  BeneficialUses: 'Beneficial uses that the records of this page name, by name.',
  WaterSources: 'Water sources that the records and sites of this page refer to, by WaterSourceUUID.',
  Sites: 'Sites that the records of this page refer to, with their geometries, by SiteUUID.',
  ReportingUnits: 'Reporting units that the records of this page refer to, by ReportingUnitUUID.',
};

function listOfSchema(name: string): Schema {
  return { type: 'array', items: { $ref: `#/components/schemas/${name}` } };
}
