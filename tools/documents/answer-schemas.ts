// JSON schemas of the answers, from the declarations of the records. Members stand in the answer's order.

import { dataSetLayouts, type DataSetKind, type OrganizationPart } from '../../shared/records/data-sets';
import { lookupMembers, type LookupKind } from '../../shared/records/lookups';
import { objectOf, type Members } from '../../shared/records/object-definition';
import { organizationMembers } from '../../shared/records/organization';

type Schema = Readonly<Record<string, unknown>>;

export function schemasOf(kinds: readonly DataSetKind[]): Readonly<Record<string, Schema>> {
  const lookups = Object.entries(lookupMembers).map(([kind, members]): [string, Schema] => [
    itemName(kind),
    objectOf(members).schema,
  ]);
  const ofKinds = kinds.flatMap((kind): readonly [string, Schema][] => [
    [answerSchemaName(kind), answerSchema(kind)],
    [`${kind}Organization`, organizationSchema(kind)],
    [itemName(kind), objectOf(dataSetLayouts[kind].recordMembers).schema],
  ]);
  return Object.fromEntries([...ofKinds, ...lookups]);
}

export function answerSchemaName(kind: DataSetKind): string {
  return `${kind}Answer`;
}

/** The name of an item: the names of the answer's lists are plurals with an s. */
function itemName(listName: string): string {
  return listName.slice(0, -1);
}

function answerSchema(kind: DataSetKind): Schema {
  const { countName } = dataSetLayouts[kind];
  const total = { type: 'integer', minimum: 0, description: 'Number of records that match, on every page.' };
  const list = {
    ...listOfSchema(`${kind}Organization`),
    description: 'Those with records on this page, by OrganizationUUID; one may continue on the next page.',
  };
  return {
    ...objectOf({ [countName]: { schema: total }, Organizations: { schema: list } }).schema,
    description: 'A page of records, grouped by organization.',
  };
}

function organizationSchema(kind: DataSetKind): Schema {
  const members: Members = Object.fromEntries(dataSetLayouts[kind].organization.map(memberOf));
  return { ...objectOf(members).schema, description: 'An organization with its records and what they refer to.' };
}

function memberOf(part: OrganizationPart): [string, Members[string]] {
  if (part.kind === 'member') return [part.name, organizationMembers[part.name]];
  const description = part.kind === 'records' ? 'The records of this page.' : lookupDescriptions[part.name];
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
