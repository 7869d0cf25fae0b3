// Builds everything of places that follows from their rows alone: the lookup items of an answer and their digests, what
// records repeat of them, their points and their filter terms. It is a part of the RecordBuilder, which can work in a
// thread of its own (ADR 0046).

import { hash } from 'node:crypto';
import { SITE_DETAILS } from '../../shared/render/features';
import { filterTerm, type FilterField } from '../../shared/query/text-filters';
import type { DataSetKind } from '../../shared/records/data-sets';
import type { Organization } from '../../shared/records/organization';
import { placeHash } from '../../shared/search/index/hashes';
import { readPoint } from '../../shared/values/numbers';
import { RowShape, type CellValue, type SubmissionFile } from '../format/column';
import { lookupFiles, type ReportingUnitRow, type SiteRow } from '../format/submission-files';
import type { StagedRelation } from '../stage/staged-relations';
import type { StagedTerms } from '../stage/staged-terms';
import { FirstNumbers } from './index/first-numbers';
import { fieldValuesOf, placeIdentifierField, termOf, type FieldValue, type Term } from './index/terms/term-sources';
import type { JoinedRows } from './joined-rows';
import { LineWriter } from './records/line-writer';
import type { PlaceTexts } from './records/place-texts';
import { writeReportingUnit, writeSite, type SiteLookups } from './records/lookup-json';
import { reportingUnitText, siteText } from './records/record-json';
import { LOOKUP_DIGEST_BYTES } from './release-digest';

/** The places of a release in their order; the source rows are those of all staged places. */
export interface PlaceBatch extends JoinedRows {
  readonly relations: readonly PlaceRelations[];
  /** Water sources that no earlier batch had. */
  readonly newSources: SiteLookups['sources'];
  /** As in RowBatch. */
  readonly memory: ArrayBuffer | undefined;
}

/** The relations of the place with this index in its batch. */
export interface PlaceRelations {
  readonly index: number;
  readonly pods: readonly StagedRelation[];
  readonly pous: readonly StagedRelation[];
}

export interface BuiltPlaces {
  /** The JSON of the lookups in UTF-8, with a line feed behind each. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** By place: the position of its line feed in `texts`. */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** As LookupDigests.add takes them, one behind the other. */
  readonly digests: Uint8Array<ArrayBuffer>;
  /** Longitude and latitude of each place; NaN without a point. */
  readonly points: Float64Array<ArrayBuffer>;
  /** placeHash of the term of each place's identifier. */
  readonly hashes: Float64Array<ArrayBuffer>;
  /** By place whether it is a site that has any of SITE_DETAILS: 1, else 0. */
  readonly detailed: Uint8Array<ArrayBuffer>;
  /** Each place's terms, by the order in which terms came first, and where its list ends. */
  readonly terms: Uint32Array<ArrayBuffer>;
  readonly termEnds: Uint32Array<ArrayBuffer>;
  /** Terms that no place before had. */
  readonly newTerms: readonly Term[];
}

const NO_RELATIONS = { pods: [], pous: [] };

export class PlaceBuilder {
  private readonly shape: RowShape;
  private readonly sourceTypes = new Map<string, string | null>();
  private readonly terms = new FirstNumbers<Term>();
  private readonly identifierField: FilterField;
  private count = 0;

  constructor(
    private readonly kind: DataSetKind,
    private readonly organization: Organization,
    private readonly texts: PlaceTexts,
    private readonly identifiers: StagedTerms,
  ) {
    this.identifierField = placeIdentifierField(kind);
    this.shape = new RowShape(placeFileOf(kind));
  }

  /** `staged` are the values of the rows. */
  build({ newSources, relations, memory }: PlaceBatch, staged: readonly (readonly CellValue[])[]): BuiltPlaces {
    for (const { id, type } of newSources) this.sourceTypes.set(id, type);
    const ofPlace = new Map(relations.map((each) => [each.index, each]));
    const [terms, termEnds, points, hashes]: [number[], number[], number[], number[]] = [[], [], [], []];
    const lines = new LineWriter(staged.length, memory);
    const digests = new Uint8Array(staged.length * LOOKUP_DIGEST_BYTES);
    const detailed = new Uint8Array(staged.length);
    staged.forEach((values, index) => {
      const row = this.shape.rowOf(values);
      detailed[index] = Number(SITE_DETAILS.some((name) => (row[name] ?? null) !== null));
      const built = this.kind === 'AggregatedAmounts' ? this.unit(row) : this.site(row, ofPlace.get(index));
      lines.target.text(built.item);
      hash('sha256', lines.endLine(), 'buffer').copy(digests, index * LOOKUP_DIGEST_BYTES, 0, LOOKUP_DIGEST_BYTES);
      this.texts.add(built.text);
      hashes.push(this.addIdentifier(built.id));
      points.push(built.point?.longitude ?? NaN, built.point?.latitude ?? NaN);
      for (const value of built.values) terms.push(this.numberOf(value));
      termEnds.push(terms.length);
    });
    return {
      ...lines.finish(),
      ...{ digests, detailed, points: Float64Array.from(points), hashes: Float64Array.from(hashes) },
      ...{ terms: Uint32Array.from(terms), termEnds: Uint32Array.from(termEnds), newTerms: this.terms.takeNew() },
    };
  }

  private site(row: Readonly<Record<string, unknown>>, { pods, pous }: Omit<PlaceRelations, 'index'> = NO_RELATIONS) {
    const site = row as SiteRow; // The staged values are those of its file.
    const sources = site.WaterSourceUUIDs.map((id) => ({ id, type: this.sourceTypes.get(id) ?? null }));
    const { OrganizationState: organizationState } = this.organization;
    return {
      id: site.SiteUUID,
      item: writeSite(site, { sources, pods, pous }),
      text: siteText(this.kind, site),
      point: readPoint(site.Longitude, site.Latitude),
      values: fieldValuesOf(this.kind, 'site', { ...site, organizationState }),
    };
  }

  private unit(row: Readonly<Record<string, unknown>>) {
    const unit = row as ReportingUnitRow; // As above.
    const { OrganizationState: organizationState } = this.organization;
    return {
      id: unit.ReportingUnitUUID,
      item: writeReportingUnit(unit),
      text: reportingUnitText(unit),
      point: undefined,
      values: fieldValuesOf(this.kind, 'reportingUnit', { ...unit, organizationState }),
    };
  }

  private addIdentifier(id: string): number {
    const rank = this.count++;
    const term = filterTerm(this.identifierField, id);
    this.identifiers.add(term, rank);
    return placeHash(term, rank);
  }

  /** Most values were met before: only a new one is folded. */
  private numberOf(fieldValue: FieldValue): number {
    return this.terms.numberOf(fieldValue.field, fieldValue.value, () => termOf(fieldValue));
  }
}

function placeFileOf(kind: DataSetKind): SubmissionFile {
  return kind === 'AggregatedAmounts' ? lookupFiles.reportingunits : lookupFiles.sites;
}
