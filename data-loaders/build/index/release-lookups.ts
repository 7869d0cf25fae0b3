// The lookups of a release while its records are built. For each lookup to which a row refers it finds, once, the
// number in the release, the members that records repeat, and the posting lists to which a record that refers to it
// is added.

import type { DataSetKind } from '../../../shared/records/data-sets';
import type { AmountDefinition, CommonAmountRow } from '../../format/amount-definitions';
import type { VariableRow } from '../../format/lookup-files';
import type { Staging } from '../../stage/staging';
import type { PlaceColumnsWriter } from '../columns/place-columns-writer';
import type { RecordColumns } from '../columns/record-columns';
import type { UseCategories } from '../records/lookup-json';
import {
  allocationSiteOf,
  type RecordLookups,
  type ReportingUnitSummary,
  type SiteSummary,
} from '../records/record-json';
import { tableOfKind, type LookupNumbers, type LookupRows, type TableKind } from './lookup-numbers';
import type { PostingLists, RunList } from './posting-lists';
import { termsOf, type Term, type TermSubjects } from './term-sources';

/** A lookup by its number in the release, with the posting lists of the records that refer to it. */
interface FoundLookup {
  readonly number: number;
  readonly postings: readonly RunList[];
}

type FoundVariable = FoundLookup & { readonly row: VariableRow };

type FoundSource = FoundLookup & { readonly id: string; readonly type: string | null };

interface FoundPlace {
  readonly summary: SiteSummary | ReportingUnitSummary;
  /** Position among the places of the release. */
  readonly rank: number;
  /** Numbers of the place and of its water sources. */
  readonly references: readonly number[];
  readonly postings: readonly RunList[];
  readonly firstSource: string | undefined;
}

export interface FoundLookups {
  readonly places: readonly FoundPlace[];
  readonly variable: FoundVariable;
  readonly waterSource: FoundSource | undefined;
}

/** Amounts come in the order of their places, so older places are not asked for again. Allocations name nearby ones. */
const MAX_CACHED_PLACES: Readonly<Record<DataSetKind, number>> = {
  SiteVariableAmounts: 1,
  AggregatedAmounts: 1,
  WaterAllocations: 4_000,
};

export interface ReleaseLookupsInput {
  readonly definition: AmountDefinition;
  readonly staging: Staging;
  readonly numbers: LookupNumbers;
  readonly postings: PostingLists;
  readonly columns: RecordColumns;
  readonly placeColumns: PlaceColumnsWriter;
  /** Two-letter code. */
  readonly organizationState: string;
  readonly categoriesOf: (use: string) => UseCategories;
}

export class ReleaseLookups {
  private readonly places = new Map<string, FoundPlace>();
  private readonly variables = new Map<string, FoundVariable>();
  private readonly methods = new Map<string, number>();
  private readonly sources = new Map<string, FoundSource>();
  private readonly uses = new Map<string, FoundLookup>();
  private lastRecordLookups: RecordLookups | undefined;

  constructor(private readonly input: ReleaseLookupsInput) {}

  /** The lookups of a row that its record repeats; `placeIds` are those of its kind's definition. */
  find(row: CommonAmountRow, placeIds: readonly string[]): FoundLookups {
    const places = placeIds.map((id) => this.place(id));
    return {
      places,
      variable: this.variable(row.VariableSpecificUUID),
      waterSource: this.waterSourceOf(row, places),
    };
  }

  /** Returns the object of the row before if nothing differs: one object is sent to a thread once. */
  recordLookups({ places, variable, waterSource }: FoundLookups): RecordLookups {
    const last = this.lastRecordLookups;
    const isSame =
      last?.variable === variable.row &&
      last.waterSource?.id === waterSource?.id &&
      last.places.length === places.length &&
      last.places.every((place, index) => place === places[index]?.summary);
    if (isSame) return last;
    return (this.lastRecordLookups = {
      places: places.map(({ summary }) => summary),
      variable: variable.row,
      waterSource: waterSource && { id: waterSource.id, type: waterSource.type },
    });
  }

  method(id: string): number {
    return cached(this.methods, id, () => this.read('Methods', id).number);
  }

  waterSource(id: string): FoundSource {
    return cached(this.sources, id, () => {
      const { columns, numbers, postings } = this.input;
      const { row, number } = this.read('WaterSources', id);
      const terms = this.termsOf('waterSource', row);
      columns.terms.source.set(number - numbers.first('WaterSources'), terms);
      return { id, type: row.WaterSourceTypeCV, number, postings: postings.recordsOf(terms) };
    });
  }

  use(name: string): FoundLookup {
    return cached(this.uses, name, () => {
      const { columns, numbers, categoriesOf, postings } = this.input;
      const number = numbers.ofUse(name);
      const terms = this.termsOf('use', { name, ...categoriesOf(name) });
      columns.terms.use.set(number - numbers.first('BeneficialUses'), terms);
      return { number, postings: postings.recordsOf(terms) };
    });
  }

  private place(id: string): FoundPlace {
    return cached(this.places, id, () => {
      if (this.places.size >= MAX_CACHED_PLACES[this.input.definition.kind]) this.places.clear();
      return this.input.definition.placeTable === 'sites' ? this.site(id) : this.reportingUnit(id);
    });
  }

  private variable(id: string): FoundVariable {
    return cached(this.variables, id, () => {
      const { columns, numbers, postings } = this.input;
      const { row, number } = this.read('VariableSpecifics', id);
      const terms = this.termsOf('variable', row);
      columns.setVariable(number - numbers.first('VariableSpecifics'), row);
      columns.terms.variable.set(number - numbers.first('VariableSpecifics'), terms);
      return { row, number, postings: postings.recordsOf(terms) };
    });
  }

  /** An amount has its own source or none; an allocation else the first one of its first site that has any (D27). */
  private waterSourceOf(row: CommonAmountRow, places: readonly FoundPlace[]): FoundSource | undefined {
    if (row.WaterSourceUUID !== null) return this.waterSource(row.WaterSourceUUID);
    if (this.input.definition.kind !== 'WaterAllocations') return undefined;
    const source = places.find(({ firstSource }) => firstSource !== undefined)?.firstSource;
    return source === undefined ? undefined : this.waterSource(source);
  }

  private site(id: string): FoundPlace {
    const { numbers, organizationState } = this.input;
    const { row, number } = this.read('Sites', id);
    const rank = number - numbers.first('Sites');
    // Not the whole row, so that a cached site does not hold its geometry in memory.
    return {
      summary: { site: allocationSiteOf(row), accuracy: row.CoordinateAccuracy },
      rank,
      references: [number, ...row.WaterSourceUUIDs.map((source) => this.waterSource(source).number)],
      postings: this.placePostings(rank, this.termsOf('site', { ...row, organizationState })),
      firstSource: row.WaterSourceUUIDs[0],
    };
  }

  private reportingUnit(id: string): FoundPlace {
    const { numbers, organizationState } = this.input;
    const { row, number } = this.read('ReportingUnits', id);
    const rank = number - numbers.first('ReportingUnits');
    return {
      summary: { ReportingUnitName: row.ReportingUnitName, ReportingUnitTypeCV: row.ReportingUnitTypeCV },
      rank,
      references: [number],
      postings: this.placePostings(rank, this.termsOf('reportingUnit', { ...row, organizationState })),
      firstSource: undefined,
    };
  }

  private placePostings(rank: number, terms: readonly Term[]): readonly RunList[] {
    this.input.placeColumns.terms.set(rank, terms);
    return this.input.postings.recordsOf(terms);
  }

  private termsOf<S extends keyof TermSubjects>(subject: S, values: TermSubjects[S]): readonly Term[] {
    return termsOf(this.input.definition.kind, subject, values);
  }

  /** Rows with unknown references were rejected when they were read. */
  private read<Kind extends TableKind>(kind: Kind, id: string): { readonly row: LookupRows[Kind]; number: number } {
    const { staging, numbers } = this.input;
    const staged = staging.findLookup(tableOfKind[kind], id);
    if (staged === undefined) throw new Error(`${kind} ${id} was referred to but is not staged`);
    const row = JSON.parse(staged.row) as LookupRows[Kind]; // Staged by stageLookups.
    return { row, number: numbers.of(kind, staged.number) };
  }
}

function cached<Value>(cache: Map<string, Value>, id: string, find: () => Value): Value {
  const known = cache.get(id);
  if (known !== undefined) return known;
  const found = find();
  cache.set(id, found);
  return found;
}
