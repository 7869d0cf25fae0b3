// Gives every enumeration and every object of the OpenAPI document a name among its schemas. Client generators call
// unnamed schemas `Anonymous8` or `Format3` (D80).

import { cluster, filterLang } from '../../shared/query/cql2/item-parameters';
import { answerFormat, exportFormat, tableFormat } from '../../shared/query/format-parameters';
import { facetsOperations, type Operation, operations, totalsOperations } from '../../shared/query/operations';
import { NAMED_KINDS } from '../../shared/records/find-results';
import { DOWNLOAD_NAMES } from '../../shared/store/download-files';
import { COORDINATE_SYSTEMS } from '../../shared/values/coordinate-systems';
import { isTaken } from './openapi-components';

type Json = Readonly<Record<string, unknown>>;

interface NamedDocument {
  readonly paths: Json;
  readonly schemas: Readonly<Record<string, Json>>;
}

type Values = readonly unknown[];

/**
 * Returns the document with references to the schemas that now have names. Equal schemas share the name of the first
 * one.
 */
export function nameSchemas({ paths, schemas }: NamedDocument): NamedDocument {
  const names = new SchemaNames(schemas);
  const named = Object.entries(schemas).map(([name, schema]) => [name, names.replaceParts(schema, name)] as const);
  const replacedPaths = replaceSchemas(paths, '', names);
  return { paths: replacedPaths, schemas: { ...Object.fromEntries(named), ...names.added } };
}

class SchemaNames {
  readonly added: Record<string, Json> = {};
  private readonly names = new Map<string, string>();

  constructor(private readonly schemas: NamedDocument['schemas']) {}

  /** Returns the schema with references in place of its nested schemas. `name` is the prefix of their names. */
  replaceParts(schema: Json, name: string): Json {
    const replaced = Object.entries(schema).map(([member, value]) => {
      if (!isJson(value)) return [member, value] as const;
      if (member === 'items' || member === 'additionalProperties') return [member, this.replace(value, name)] as const;
      return [member, member === 'properties' ? this.replaceProperties(value, name) : value] as const;
    });
    return Object.fromEntries(replaced);
  }

  replace(schema: Json, name: string): Json {
    const { type, format, enum: values, ...others } = schema;
    if (Array.isArray(values)) {
      const ownName = enumerationNames.get(JSON.stringify(values)) ?? BETTER_NAMES[name] ?? name;
      return { ...this.refer(ownName, { type, ...(format !== undefined && { format }), enum: values }), ...others };
    }
    if (type !== 'object' || !('properties' in schema)) return this.replaceParts(schema, name);
    const { description, ...object } = schema;
    const ownName = BETTER_NAMES[name] ?? name;
    return {
      ...this.refer(ownName, this.replaceParts(object, ownName)),
      ...(description !== undefined && { description }),
    };
  }

  private replaceProperties(properties: Json, name: string): Json {
    const replaced = Object.entries(properties).map(([property, value]) => {
      return [property, isJson(value) ? this.replace(value, name + capitalize(property)) : value] as const;
    });
    return Object.fromEntries(replaced);
  }

  private refer(preferred: string, schema: Json): Json {
    const text = JSON.stringify(schema);
    const name = this.names.get(text) ?? this.findFreeName(preferred);
    this.names.set(text, name);
    this.added[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  private findFreeName(preferred: string): string {
    let name = preferred;
    const taken = { ...this.schemas, ...this.added };
    for (let number = 2; isTaken(name, taken); number++) name = `${preferred}${number}`;
    return name;
  }
}

/**
 * Replaces the schemas in members named `schema`. The names of an operation and of a parameter become prefixes for the
 * schemas below them.
 */
function replaceSchemas(value: Json, name: string, names: SchemaNames): Json {
  const { operationId, name: parameter } = value;
  const ownName = typeof operationId === 'string' ? operationId : name;
  const partName = typeof parameter === 'string' ? ownName + capitalize(parameter) : ownName;
  const replaced = Object.entries(value).map(([member, part]) => {
    if (member.startsWith('example')) return [member, part] as const;
    if (Array.isArray(part)) {
      const items = part.map((item: unknown) => (isJson(item) ? replaceSchemas(item, partName, names) : item));
      return [member, items] as const;
    }
    if (!isJson(part)) return [member, part] as const;
    return [
      member,
      member === 'schema' ? names.replace(part, partName) : replaceSchemas(part, partName, names),
    ] as const;
  });
  return Object.fromEntries(replaced);
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Names that are better than those derived from the path to a schema. */
const BETTER_NAMES: Readonly<Record<string, string>> = {
  SiteVariableAmountBeneficialUseCategoryCV: 'RecordUse',
  WaterAllocationSites: 'AllocationSite',
  ListedSiteWaterSources: 'SiteWaterSource',
  ListedSiteRelatedPODSites: 'RelatedPODSite',
  ListedSiteRelatedPOUSites: 'RelatedPOUSite',
  ListedSiteSeries: 'Series',
  FacetsFacets: 'Facet',
  FacetValues: 'FacetValue',
  SiteVariableAmountsRemovedRemoved: 'RemovedSiteVariableAmount',
  AggregatedAmountsRemovedRemoved: 'RemovedAggregatedAmount',
  WaterAllocationsRemovedRemoved: 'RemovedWaterAllocation',
  InventoryFormerDataVersions: 'FormerDataVersion',
  InventoryOrganizations: 'InventoryOrganization',
  InventoryOrganizationDataSets: 'InventoryDataSet',
  InventoryDataSetSubmission: 'SubmissionStatement',
  InventoryDataSetVocabulary: 'VocabularyValue',
  FindFound: 'FoundName',
  FoundNameRecordsCounts: 'RecordsCounts',
  DownloadsDownloads: 'Download',
  DownloadFiles: 'DownloadFile',
  HealthHeld: 'HeldSubmission',
  HealthNotRead: 'InboxEntryNotRead',
  HealthTimers: 'TimerState',
  ProblemErrors: 'ParameterError',
  RecordFeatureCollectionFeatures: 'RecordFeature',
  PlaceFeatureCollectionFeatures: 'PlaceFeature',
  NewKeyLimits: 'KeyLimits',
  OwnKeyUseByDay: 'KeyUseOfDay',
  SiteTilesSetF: 'TilesetFormat',
  SiteTilesFormF: 'TileFormat',
  SiteAllocationAmountsFormExemptOfVolumeFlowPriority: 'TrueOrFalse',
};

/**
 * Names of enumerations, keyed by the JSON text of their values. All other enumerations are named after the path to
 * them.
 */
const enumerationNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    RecordFormat: answerFormat.formats,
    TableFormat: tableFormat.formats,
    ExportFormat: exportFormat.formats,
    NamedKind: NAMED_KINDS,
    DownloadFileName: DOWNLOAD_NAMES,
    CoordinateSystem: COORDINATE_SYSTEMS.map(({ uri }) => uri),
    FilterLanguage: readValues(filterLang.schema),
    ClusterPixels: readValues(cluster.schema),
    ...nameValuesOf(totalsOperations, 'groupBy', ({ name }) => `${name.replace('Totals', '')}Grouping`),
    ...nameValuesOf(facetsOperations, 'facet', ({ name }) => `${name.replace('Facets', '')}Facet`),
    ...nameValuesOf(operations, 'order', ({ dataSet }) =>
      dataSet === 'WaterAllocations' ? 'RightsOrder' : 'AmountsOrder',
    ),
  }).map(([name, values]) => [JSON.stringify(values), name]),
);

function readValues({ enum: values }: Json): Values {
  return Array.isArray(values) ? values : [];
}

function nameValuesOf(
  declared: readonly Operation[],
  kind: Operation['parameters'][number]['kind'],
  toName: (operation: Operation) => string,
): Readonly<Record<string, Values>> {
  const named = declared.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.kind === kind)
      .map((parameter) => [toName(operation), parameter.limits?.enum ?? []] as const),
  );
  return Object.fromEntries(named);
}
