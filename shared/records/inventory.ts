// The members of the documents about what is published: the inventory of organizations, data sets and filter values
// (ADR 0038), and the list of downloads with the files of each release (D44).

import {
  boolean,
  count,
  date,
  listMember,
  type Member,
  moment,
  objectMember,
  type ObjectValue,
  requiredBoolean,
  requiredCount,
  requiredMoment,
  requiredText,
  text,
  withDescription,
} from './object-definition';

const valueMembers = {
  Value: withDescription(requiredText, 'The value as submitted.'),
  Records: withDescription(requiredCount, 'Number of records with this value.'),
};

type Values = readonly ObjectValue<typeof valueMembers>[];

/** The values of each filter, keyed by the filter's name. */
const vocabulary: Member<Readonly<Record<string, Values>>> = {
  schema: {
    type: 'object',
    additionalProperties: listMember(objectMember(valueMembers)).schema,
    description: 'The values in the records for each filter, keyed by filter name.',
  },
};

const submissionMembers = {
  Name: withDescription(text, 'Name of the submission.'),
  Contact: withDescription(text, 'Contact for questions.'),
  Note: withDescription(text, 'Note from the submitter.'),
  TermsOfUse: withDescription(text, 'Text, or a web address.'),
  License: withDescription(text, 'A web address.'),
  Citation: withDescription(text, 'How to cite the data.'),
};

const dataSetMembers = {
  DataSet: withDescription(requiredText, 'Kind of data set.'),
  Path: withDescription(requiredText, 'Path of the operation that returns its records.'),
  PlacesPath: withDescription(requiredText, "Path and query that list the organization's places with their series."),
  Records: withDescription(requiredCount, 'Number of records.'),
  Sites: withDescription(count, 'Number of sites that the records refer to; null for reporting unit amounts.'),
  ReportingUnits: withDescription(
    count,
    'Number of reporting units that the records refer to; null for amounts at sites.',
  ),
  FirstDay: withDescription(date, 'First day of the timeframes, or first priority date.'),
  LastDay: withDescription(date, 'Last day of the timeframes, or last priority date.'),
  LastPublicationDate: withDescription(date, 'The latest DataPublicationDate.'),
  PublishedAt: withDescription(requiredMoment, 'When the data set was published here (ISO 8601, UTC).'),
  IsSample: withDescription(boolean, 'Whether it is a made-up sample.'),
  Release: withDescription(requiredText, 'Name of the release, a digest of its content.'),
  Submission: withDescription(objectMember(submissionMembers), 'Metadata of the submission.'),
  Vocabulary: vocabulary,
};

const organizationMembers = {
  OrganizationUUID: withDescription(requiredText, 'Identifier of the organization.'),
  OrganizationName: withDescription(requiredText, 'Its name.'),
  OrganizationState: withDescription(requiredText, 'Two-letter abbreviation of its state.'),
  State: withDescription(requiredText, 'Name of its state.'),
  DataSets: withDescription(listMember(objectMember(dataSetMembers)), 'Its published data sets.'),
};

const previousVersionMembers = {
  DataVersion: withDescription(requiredText, 'A data version, for the parameters DataVersion and ChangedSince.'),
  Since: withDescription(moment, 'When it became current (ISO 8601, UTC).'),
};

export const inventoryMembers = {
  DataVersion: withDescription(requiredText, 'Version of the data, as in the header Data-Version.'),
  FormerDataVersions: withDescription(
    listMember(objectMember(previousVersionMembers)),
    'Earlier versions that are still available, newest first.',
  ),
  Organizations: withDescription(
    listMember(objectMember(organizationMembers)),
    'Organizations with matching data, by OrganizationUUID.',
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
  MediaType: withDescription(requiredText, 'Its media type.'),
  Bytes: withDescription(requiredCount, 'Its length.'),
  SHA256: withDescription(requiredText, 'Digest of the file, in hexadecimal.'),
  Path: withDescription(requiredText, 'Address of the download; a key is required.'),
};

const downloadMembers = {
  OrganizationUUID: withDescription(requiredText, 'The organization.'),
  DataSet: withDescription(requiredText, 'SiteVariableAmounts, AggregatedAmounts or WaterAllocations.'),
  Release: withDescription(requiredText, 'Name of the current release; its files never change.'),
  Records: withDescription(requiredCount, 'Number of records.'),
  Files: withDescription(listMember(objectMember(downloadFileMembers)), 'The files.'),
  Pending: withDescription(requiredBoolean, 'Whether the files are still being prepared; `Files` is then empty.'),
};

export const downloadsMembers = {
  TotalDownloadsCount: withDescription(requiredCount, 'Number of releases.'),
  Downloads: withDescription(
    listMember(objectMember(downloadMembers)),
    'The current releases, in the same order as in answers.',
  ),
};

export type Download = ObjectValue<typeof downloadMembers>;
