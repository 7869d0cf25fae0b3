// The members of the documents about what is published: the inventory of organizations, data sets and filter values
// (ADR 0038), and the list of downloads with the files of each release (D44).

import {
  boolean,
  date,
  listMember,
  type Member,
  number,
  objectMember,
  type ObjectValue,
  requiredBoolean,
  requiredNumber,
  requiredText,
  text,
  withDescription,
} from './object-definition';

const valueMembers = {
  Value: withDescription(requiredText, 'As it was submitted.'),
  Records: withDescription(requiredNumber, 'How many records have it.'),
};

type Values = readonly ObjectValue<typeof valueMembers>[];

/** Values by the name of their filter. */
const vocabulary: Member<Readonly<Record<string, Values>>> = {
  schema: {
    type: 'object',
    additionalProperties: listMember(objectMember(valueMembers)).schema,
    description: 'The values that the records have of each filter, by its name and then by value.',
  },
};

const submissionMembers = {
  Name: withDescription(text, 'Name of the submission.'),
  Contact: withDescription(text, 'Whom to ask about it.'),
  Note: withDescription(text, 'What the submitter says of it.'),
  TermsOfUse: withDescription(text, 'Text or a web address.'),
  License: withDescription(text, 'A web address.'),
  Citation: withDescription(text, 'How to cite the data.'),
};

const dataSetMembers = {
  DataSet: withDescription(requiredText, 'Kind of amounts.'),
  Path: withDescription(requiredText, 'Path of the operation that answers with its records.'),
  PlacesPath: withDescription(
    requiredText,
    'Path and query that list the places of the organization with their series.',
  ),
  Records: withDescription(requiredNumber, 'How many records it has.'),
  Sites: withDescription(number, 'How many sites they refer to; null for amounts of reporting units.'),
  ReportingUnits: withDescription(number, 'How many reporting units they refer to; null for amounts at sites.'),
  FirstDay: withDescription(date, 'First day of their timeframes, or of their priority dates.'),
  LastDay: withDescription(date, 'Last day of these.'),
  LastPublicationDate: withDescription(date, 'The latest DataPublicationDate.'),
  PublishedAt: withDescription(requiredText, 'When the data set was published here (ISO 8601, UTC).'),
  IsSample: withDescription(boolean, 'Whether it is an invented sample.'),
  Release: withDescription(requiredText, 'Name of what is published, by its content.'),
  Submission: withDescription(
    objectMember(submissionMembers),
    'What the submission that it comes from says of itself.',
  ),
  Vocabulary: vocabulary,
};

const organizationMembers = {
  OrganizationUUID: withDescription(requiredText, 'Identifier of the organization.'),
  OrganizationName: withDescription(requiredText, 'Its name.'),
  OrganizationState: withDescription(requiredText, 'Its state, two letters.'),
  State: withDescription(requiredText, 'Its state in full.'),
  DataSets: withDescription(listMember(objectMember(dataSetMembers)), 'What it has published.'),
};

const previousVersionMembers = {
  DataVersion: withDescription(requiredText, 'A version that DataVersion and ChangedSince take.'),
  Since: withDescription(text, 'When it became current (ISO 8601, UTC).'),
};

export const inventoryMembers = {
  DataVersion: withDescription(requiredText, 'Version of the data, as in the header Data-Version.'),
  FormerDataVersions: withDescription(
    listMember(objectMember(previousVersionMembers)),
    'Other versions that were current before and are still held, the newest first.',
  ),
  Organizations: withDescription(
    listMember(objectMember(organizationMembers)),
    'Those with data that was asked for, by OrganizationUUID.',
  ),
};

export type InventoryDataSet = ObjectValue<typeof dataSetMembers>;
export type InventoryOrganization = ObjectValue<typeof organizationMembers>;
export type PreviousDataVersion = ObjectValue<typeof previousVersionMembers>;

const downloadFileMembers = {
  Name: withDescription(
    requiredText,
    'records.parquet, places.parquet (GeoParquet 1.1), records.csv.gz or things.jsonl.gz (JSON-LD).',
  ),
  MediaType: withDescription(requiredText, 'The media type that it is sent as.'),
  Bytes: withDescription(requiredNumber, 'Its length.'),
  SHA256: withDescription(requiredText, 'Digest of its bytes, hexadecimal.'),
  Path: withDescription(requiredText, 'Where it is downloaded; a key is needed.'),
};

const downloadMembers = {
  OrganizationUUID: withDescription(requiredText, 'Whose data they are.'),
  DataSet: withDescription(requiredText, 'SiteVariableAmounts, AggregatedAmounts or WaterAllocations.'),
  Release: withDescription(requiredText, 'Names the data set as it is published now; its files never change.'),
  Records: withDescription(requiredNumber, 'How many records it has.'),
  Files: withDescription(listMember(objectMember(downloadFileMembers)), 'What can be downloaded.'),
  Pending: withDescription(requiredBoolean, 'Whether the files are still to be made; `Files` is then empty.'),
};

export const downloadsMembers = {
  TotalDownloadsCount: withDescription(requiredNumber, 'How many releases there are.'),
  Downloads: withDescription(
    listMember(objectMember(downloadMembers)),
    'Each current release, in the order of answers.',
  ),
};

export type Download = ObjectValue<typeof downloadMembers>;
