// The filters of operations: text filters, organizations and owners (D34, D35), ranges of days (D6, D7) and of numbers
// (D35), and boundaries (D15). The data set of an operation determines its filters.

import type { DataSetKind, NumberColumn } from '../records/data-sets';
import { NAMED_BOUNDARY_SYNTAX, readBoundary, type SearchArea } from '../values/boundary';
import { QUERY_DATE_SHAPE, readQueryDate } from '../values/dates';
import { foldText } from '../values/fold-text';
import { readNumber } from '../values/numbers';
import { failure, type Result, success } from '../values/result';
import {
  buildOrganizationCondition,
  buildTermCondition,
  type Condition,
  type DateRange,
  type DayMember,
  toBoundary,
} from './condition';
import { isPlaceField } from './filter-fields';
import {
  type ConditionFilter,
  createIntegerRange,
  limitLength,
  type OrganizationOrOwnerFilter,
  type Parameter,
  type Queryable,
  type RangeFilter,
  renameParameter,
  type TermFilter,
} from './parameter';
import { getTextFilter, listTextFilters, orderFirst, type TextFilter, type TextFilterField } from './text-filters';

/** A number without an exponent, such as -12.5 (D35). */
const DECIMAL = /^-?\d+(\.\d+)?$/;

/** A filter parameter. */
export type Filter = TermFilter | OrganizationOrOwnerFilter | RangeFilter | ConditionFilter;

/** Lists the filters for records of a data set, in the order of the specification. */
export function listFilters(dataSet: DataSetKind): readonly Filter[] {
  const ofRecords = listTextFilters(dataSet).flatMap(({ field }) => [
    createTermFilter(field, dataSet),
    ...listFiltersAfter(field, dataSet),
  ]);
  return [...ofRecords, ...NUMBERS[dataSet], organizationUuid, startPublicationDate, endPublicationDate];
}

/**
 * Lists the filters for places of a data set (D42, D43): filters on the place itself first, then filters on its
 * amounts.
 */
export function listPlaceFilters(dataSet: DataSetKind): readonly Filter[] {
  const all = listTextFilters(dataSet);
  const ofPlaces = all.filter(({ field }) => isPlaceField(field));
  const ofAmounts = all.filter(({ field }) => !isPlaceField(field));
  const filterOf = ({ field }: TextFilter): TermFilter => createTermFilter(field, dataSet);
  return [
    ...orderFirst(ofPlaces, FIRST_PLACE_FIELDS, ({ field }) => field).map(filterOf),
    searchBoundary,
    organizationUuid,
    ...[...ofAmounts.map(filterOf), startDate, endDate].map(describeAmountFilter),
    minimumYears,
  ];
}

/** A single amount of the place must match all filters on amounts (D42). */
function describeAmountFilter<AmountFilter extends Parameter<unknown>>(filter: AmountFilter): AmountFilter {
  return { ...filter, meaning: `${filter.meaning} A single amount of the place must match all amount filters.` };
}

/** Fields whose place filters come first, in this order. The others follow in the order of declaration. */
const FIRST_PLACE_FIELDS: readonly TextFilterField[] = [
  'site',
  'siteType',
  'reportingUnit',
  'reportingUnitType',
  'podOrPou',
  'state',
  'county',
];

/** Lists the filters that follow a text filter in the specification. */
function listFiltersAfter(field: TextFilterField, dataSet: DataSetKind): readonly Filter[] {
  const isOfRights = dataSet === 'WaterAllocations';
  if (field === 'legalStatus') return [allocationOwner];
  if (field !== 'usgsCategory') return [];
  return isOfRights
    ? [startPriorityDate, endPriorityDate, renameParameter(searchBoundary, 'SearchGeometry')]
    : [startDate, endDate, searchBoundary];
}

export function createTermFilter(field: TextFilterField, dataSet?: DataSetKind): TermFilter {
  const {
    name,
    synonyms = [],
    meaning,
    example,
    limits,
    read = success,
    isSingle,
    namesByDataSet: otherNames,
  } = getTextFilter(field);
  const filter: TermFilter = {
    kind: 'term',
    field,
    name,
    synonyms,
    isRepeatable: isSingle !== true,
    type: 'string',
    meaning,
    example,
    read: limitLength(read),
    ...(limits === undefined ? {} : { limits }),
    buildCondition: (values) => buildTermCondition(field, values),
  };
  const otherName = dataSet && otherNames?.[dataSet];
  return otherName === undefined ? filter : renameParameter(filter, otherName);
}

/** Also a parameter of the inventory. */
export const state = createTermFilter('state');

export const organizationUuid: OrganizationOrOwnerFilter = {
  kind: 'organization',
  name: 'OrganizationUUID',
  meaning: 'Organization identifier: only what this organization submitted.',
  example: 'UTwr',
  isRepeatable: true,
  type: 'string',
  read: limitLength(success),
  buildCondition: buildOrganizationCondition,
};

/** A shorter string would match nearly every owner. */
export const MIN_OWNER_CHARACTERS = 3;
const LONG_ENOUGH = new RegExp(`.{${MIN_OWNER_CHARACTERS}}`, 'su');

export const allocationOwner: OrganizationOrOwnerFilter = {
  kind: 'owner',
  name: 'AllocationOwner',
  meaning: `Text to look for in the owner's name, at least ${MIN_OWNER_CHARACTERS} characters.`,
  example: 'Irrigation Company',
  isRepeatable: true,
  type: 'string',
  limits: { minLength: MIN_OWNER_CHARACTERS },
  read: limitLength((text) => {
    const folded = foldText(text);
    return LONG_ENOUGH.test(folded)
      ? success(folded)
      : failure(`must have at least ${MIN_OWNER_CHARACTERS} characters`);
  }),
  buildCondition: (values) => {
    return { kind: 'text', member: { kind: 'owner' }, test: { kind: 'contains', isFolded: true, values } };
  },
};

const WHOLE_TIMEFRAME = "a record's whole timeframe must lie within the range.";

const [startDate, endDate] = dateRange('period', {
  from: ['StartDate', `Records whose timeframe starts on or after this date; ${WHOLE_TIMEFRAME}`, '2000-01-01'],
  to: ['EndDate', `Records whose timeframe ends on or before this date; ${WHOLE_TIMEFRAME}`, '2010-12-31'],
  queryables: [
    dateQueryable('TimeframeStart', 'firstDay', 'First day of the timeframe, as submitted.'),
    dateQueryable('TimeframeEnd', 'lastDay', 'Last day of the timeframe, as submitted.'),
  ],
});

const [startPriorityDate, endPriorityDate] = dateRange('period', {
  from: ['StartPriorityDate', 'Allocations with a priority date on or after this date.', '1900-01-01'],
  to: ['EndPriorityDate', 'Allocations with a priority date on or before this date.', '1950-12-31'],
  queryables: [dateQueryable('AllocationPriorityDate', 'firstDay', 'Priority date.')],
});

const WITH_DATE = '(DataPublicationDate); records without one do not match.';

const [startPublicationDate, endPublicationDate] = dateRange('published', {
  from: ['StartPublicationDate', `Records whose data was published on or after this date ${WITH_DATE}`, '2023-01-01'],
  to: ['EndPublicationDate', `Records whose data was published on or before this date ${WITH_DATE}`, '2024-12-31'],
  queryables: [dateQueryable('DataPublicationDate', 'published', 'The day when the data was published.')],
});

const amounts = numberRange('amount', 'Amount', 'Amount');

const NUMBERS: Readonly<Record<DataSetKind, readonly RangeFilter[]>> = {
  SiteVariableAmounts: amounts,
  AggregatedAmounts: amounts,
  WaterAllocations: [
    ...numberRange('flow', 'Flow', 'AllocationFlow_CFS'),
    ...numberRange('volume', 'Volume', 'AllocationVolume_AF'),
  ],
};

const { read: readYears, ...ofYears } = createIntegerRange(1, Number.MAX_SAFE_INTEGER);

const minimumYears: ConditionFilter = {
  kind: 'minimumYears',
  name: 'MinimumYears',
  meaning:
    'Only places with a series that has amounts in at least this many distinct calendar years. Only amounts that match the other filters count.',
  example: '30',
  ...ofYears,
  read: (text, settings) => {
    const years = readYears(text, settings);
    return years.ok ? success({ kind: 'minimumYears', years: years.value }) : years;
  },
};

export const searchBoundary: ConditionFilter = {
  kind: 'boundary',
  name: 'SearchBoundary',
  synonyms: ['SearchGeometry'],
  type: 'string',
  meaning: `Geospatial boundary as WKT or GeoJSON, longitude then latitude, WGS 84; features that touch it match. Or a named boundary: ${NAMED_BOUNDARY_SYNTAX}.`,
  example: 'POLYGON((-112 40, -111 40, -111 41, -112 41, -112 40))',
  read: readBoundaryCondition,
  queryables: [
    {
      name: 'geometry',
      type: 'geometry',
      member: { kind: 'geometry' },
      meaning: 'The geometry of the feature; a feature that touches the boundary matches.',
    },
  ],
};

function readBoundaryCondition(text: string): Result<Condition> {
  const read = readBoundary(text);
  return read.ok ? success(toAreaCondition(read.value)) : read;
}

/** The fields that identify a named area, by the kind of area. */
export const AREA_FIELDS = { huc8: 'huc8', county: 'placeCounty', state: 'placeState' } as const;

/**
 * An area that is an attribute of places becomes a term. A place or county becomes a boundary, whose geometry is looked
 * up later.
 */
function toAreaCondition(area: SearchArea): Condition {
  switch (area.kind) {
    case 'geometry':
      return { kind: 'boundary', boundary: toBoundary(area.geometry) };
    case 'site':
      return { kind: 'boundaryOfPlace', place: { field: 'site', id: area.name } };
    case 'reportingunit':
      return { kind: 'boundaryOfPlace', place: { field: 'reportingUnit', id: area.name } };
    case 'county':
      return { kind: 'boundaryOfPlace', place: { field: AREA_FIELDS.county, id: area.name } };
    case 'huc8':
    case 'state':
      return buildTermCondition(AREA_FIELDS[area.kind], [area.name]);
  }
}

type DateDescription = readonly [name: string, meaning: string, example: string];

interface DescribedDates {
  readonly from: DateDescription;
  readonly to: DateDescription;
  readonly queryables: readonly Queryable[];
}

function dateRange(range: DateRange, { from, to, queryables }: DescribedDates): readonly [RangeFilter, RangeFilter] {
  const filterOf = ([name, meaning, example]: DateDescription): Omit<RangeFilter, 'kind' | 'end'> => ({
    range,
    name,
    type: 'string',
    meaning,
    example,
    limits: { pattern: QUERY_DATE_SHAPE },
    read: (text, settings) => readQueryDate(text, settings.slashDateOrder),
    open: { kind: 'within', dates: range },
  });
  return [
    { kind: 'start', end: 'from', ...filterOf(from), queryables },
    { kind: 'end', end: 'to', ...filterOf(to) },
  ];
}

function dateQueryable(name: string, kind: DayMember['kind'], meaning: string): Queryable {
  return { name, type: 'date', member: { kind }, meaning };
}

function numberRange(column: NumberColumn, name: string, member: string): readonly RangeFilter[] {
  const compared = { kind: 'number', column } as const;
  const describeBound = (end: 'min' | 'max'): Omit<RangeFilter, 'kind' | 'name' | 'example'> => ({
    range: column,
    end,
    type: 'string',
    meaning: `Records whose ${member} is at ${end === 'min' ? 'least' : 'most'} this decimal number; records without one do not match.`,
    limits: { pattern: DECIMAL.source },
    read: readBound,
    open: { kind: 'number', member: compared },
  });
  const queryables: readonly Queryable[] = [{ name: member, type: 'number', member: compared, meaning: `${member}.` }];
  return [
    { kind: 'start', name: `Minimum${name}`, example: '0.5', ...describeBound('min'), queryables },
    { kind: 'end', name: `Maximum${name}`, example: '1250', ...describeBound('max') },
  ];
}

function readBound(text: string): Result<number> {
  const number = DECIMAL.test(text) ? readNumber(text) : undefined;
  return number === undefined ? failure('must be a decimal number, such as -12.5') : success(number);
}
