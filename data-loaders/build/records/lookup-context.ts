// The lookups of one data set while its records are written: their numbers in the release, the members that records repeat,
// and the posting lists that a record which refers to them is added to. Everything here is made once a lookup.

import type { DataSetKind } from '../../../shared/records/data-sets';
import type { TermIndex } from '../index/term-index';
import { termsOf } from '../index/term-sources';
import type { RunList } from '../index/run-list';
import type { LookupNumbers } from '../index/lookup-numbers';
import type { StagedLookup, Staging } from '../../stage/staging';
import type { LookupTable } from '../../stage/staging-database';
import type { ReportingUnitRow, SiteRow, VariableRow, WaterSourceRow } from '../../format/lookup-files';
import { pick, REPEATED_OF_SITE, REPEATED_OF_UNIT, type PlaceBrief } from './repeated-lookups';
import type { UseCategories } from './use-categories';

export interface ResolvedPlace {
  readonly brief: PlaceBrief;
  /** Rank among the places of the release. */
  readonly rank: number;
  /** Numbers of the place and of its water sources. */
  readonly references: readonly number[];
  readonly lists: readonly RunList[];
  /** Identifier of the first water source of a site. */
  readonly firstSource: string | null;
}

export interface ResolvedVariable {
  readonly row: VariableRow;
  readonly number: number;
  readonly lists: readonly RunList[];
}

export interface ResolvedSource {
  readonly id: string;
  readonly type: string | null;
  readonly number: number;
  readonly lists: readonly RunList[];
}

export interface ResolvedUse {
  readonly number: number;
  readonly lists: readonly RunList[];
}

export interface ResolvedRow {
  readonly places: readonly ResolvedPlace[];
  readonly variable: ResolvedVariable;
  readonly waterSource: ResolvedSource | undefined;
}

/** Amounts come in the order of their places: more would only grow old in memory. Allocations name nearby ones. */
const MAX_KEPT_PLACES: Readonly<Record<DataSetKind, number>> = {
  SiteVariableAmounts: 1,
  AggregatedAmounts: 1,
  WaterAllocations: 4_000,
};

export class LookupContext {
  private readonly places = new Map<string, ResolvedPlace>();
  private readonly variables = new Map<string, ResolvedVariable>();
  private readonly methods = new Map<string, number>();
  private readonly sources = new Map<string, ResolvedSource>();
  private readonly uses = new Map<string, ResolvedUse>();
  /** Of the record before: mostly the next one's too, and a text is compared faster than it is looked up. */
  private lastPlace: { readonly id: string; readonly place: ResolvedPlace } | undefined;

  constructor(
    readonly kind: DataSetKind,
    private readonly placeTable: 'sites' | 'reportingunits',
    private readonly staging: Staging,
    private readonly numbers: LookupNumbers,
    private readonly terms: TermIndex,
    /** Two letters. */
    private readonly organizationState: string,
    private readonly categoriesOf: (use: string) => UseCategories,
  ) {}

  place(id: string): ResolvedPlace {
    if (this.lastPlace?.id === id) return this.lastPlace.place;
    const place = kept(this.places, id, () => {
      if (this.places.size >= MAX_KEPT_PLACES[this.kind]) this.places.clear();
      return this.placeTable === 'sites' ? this.resolveSite(id) : this.resolveReportingUnit(id);
    });
    this.lastPlace = { id, place };
    return place;
  }

  variable(id: string): ResolvedVariable {
    return kept(this.variables, id, () => {
      const staged = this.staged('variables', id);
      const row = JSON.parse(staged.row) as VariableRow; // Staged by stageLookups.
      const lists = this.terms.listsOf(termsOf(this.kind, 'variable', row));
      const number = this.numbers.of('VariableSpecifics', staged.number);
      return { row, number, lists };
    });
  }

  /** The number of a method. */
  method(id: string): number {
    return kept(this.methods, id, () => this.numbers.of('Methods', this.staged('methods', id).number));
  }

  waterSource(id: string): ResolvedSource {
    return kept(this.sources, id, () => {
      const staged = this.staged('watersources', id);
      const row = JSON.parse(staged.row) as WaterSourceRow; // Staged by stageLookups.
      const number = this.numbers.of('WaterSources', staged.number);
      const lists = this.terms.listsOf(termsOf(this.kind, 'waterSource', row));
      return { id, type: row.WaterSourceTypeCV, number, lists };
    });
  }

  use(name: string): ResolvedUse {
    return kept(this.uses, name, () => {
      const lists = this.terms.listsOf(termsOf(this.kind, 'use', { name, ...this.categoriesOf(name) }));
      return { number: this.numbers.ofUse(name), lists };
    });
  }

  private resolveSite(id: string): ResolvedPlace {
    const staged = this.staged('sites', id);
    const row = JSON.parse(staged.row) as SiteRow; // Staged by stageLookups.
    const number = this.numbers.of('Sites', staged.number);
    const { organizationState } = this;
    return {
      brief: { id, ...pick(row, REPEATED_OF_SITE) },
      rank: number - this.numbers.first('Sites'),
      references: [number, ...row.WaterSourceUUIDs.map((source) => this.waterSource(source).number)],
      lists: this.terms.listsOf(termsOf(this.kind, 'site', { ...row, organizationState })),
      firstSource: row.WaterSourceUUIDs[0] ?? null,
    };
  }

  private resolveReportingUnit(id: string): ResolvedPlace {
    const staged = this.staged('reportingunits', id);
    const row = JSON.parse(staged.row) as ReportingUnitRow; // Staged by stageLookups.
    const number = this.numbers.of('ReportingUnits', staged.number);
    const { organizationState } = this;
    return {
      brief: { id, ...pick(row, REPEATED_OF_UNIT) },
      rank: number - this.numbers.first('ReportingUnits'),
      references: [number],
      lists: this.terms.listsOf(termsOf(this.kind, 'reportingUnit', { ...row, organizationState })),
      firstSource: null,
    };
  }

  /** References were checked when the rows were staged. */
  private staged(table: LookupTable, id: string): Omit<StagedLookup, 'geometry'> {
    const staged = this.staging.findLookup(table, id);
    if (staged === undefined) throw new Error(`${table} ${id} was referred to but is not staged`);
    return staged;
  }
}

function kept<Value>(map: Map<string, Value>, id: string, make: () => Value): Value {
  const known = map.get(id);
  if (known !== undefined) return known;
  const made = make();
  map.set(id, made);
  return made;
}
