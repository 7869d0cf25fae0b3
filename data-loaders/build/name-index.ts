// Builds the name index of a release from the names and identifiers of places and rights (D60, ADR 0059). Names and
// terms are kept in sorted runs on disk, so that each name takes only a few bytes of memory.

import type { FilterField } from '../../shared/query/filter-fields';
import { sortByRecords, writeNameDirectory } from '../../shared/search/index/name-directory';
import { buildNameTerms, supportsPrefixSearch } from '../../shared/search/index/name-terms';
import { TermBlockBuilder } from '../../shared/search/index/term-block';
import type { ReleaseWriter } from '../../shared/store/port';
import { toNarrowNumbers } from '../../shared/values/bytes/sections';
import { compareUtf8 } from '../../shared/values/compare-utf8';
import { foldName } from '../../shared/values/fold-text';
import { numberAt } from '../../shared/values/number-arrays';
import type { AllocationRow } from '../format/amount-definitions';
import type { Staging } from '../stage/staging';
import { NamePrefixes } from './name-prefixes';
import { toRuns } from './run-list';
import { StagedTerms } from './staged-terms';

interface NamedPlace {
  readonly name: string | null;
  readonly identifiers: readonly (string | null)[];
}

/** Separates the folded name of a place from the submitted name. A folded name never contains this character. */
const NAME_SEPARATOR = '\0';

export class NameIndexWriter {
  /** Places keyed by name: first the folded name, then the submitted name. */
  private readonly places: StagedTerms;
  private readonly terms: StagedTerms;
  /** Rights that can be found only by their native identifier. */
  private readonly nativeOnlyRights = new Set<number>();
  /** The number of records that match the filter for each item: first places by rank, then rights by record number. */
  private readonly records: number[] = [];
  private placeCount = 0;

  constructor(staging: Pick<Staging, 'startRuns'>) {
    this.places = new StagedTerms(staging.startRuns('names'));
    this.terms = new StagedTerms(staging.startRuns('name_terms'));
  }

  /** Places must be added in rank order, before all rights. */
  addPlace({ name, identifiers }: NamedPlace): void {
    this.places.add(`${foldName(name ?? '')}${NAME_SEPARATOR}${name ?? ''}`, this.placeCount);
    this.add(name, identifiers, 0);
    this.placeCount++;
  }

  /** Rights must be added in record order. */
  addRight({ AllocationUUID, AllocationNativeID }: AllocationRow): void {
    if (AllocationUUID === null) this.nativeOnlyRights.add(this.records.length);
    this.add(null, [AllocationUUID, AllocationNativeID], 1);
  }

  /** `rights` are the records with the same identifier term. */
  countRights(field: FilterField, rights: readonly number[]): void {
    for (const right of rights) {
      const number = this.placeCount + right;
      const isFilter = this.nativeOnlyRights.has(number) ? field === 'allocationNativeId' : field === 'allocationUuid';
      if (isFilter) this.records[number] = rights.length;
    }
  }

  /** `ranks` are the places with the same identifier term; `records` is the number of records of all these places. */
  countPlaces(ranks: readonly number[], records: number): void {
    for (const rank of ranks) this.records[rank] = records;
  }

  async finish(writer: Pick<ReleaseWriter, 'addFragment' | 'addArtifact' | 'drain'>): Promise<void> {
    const { records, placeCount } = this;
    const countRecords = (number: number): number => numberAt(records, number);
    const named = new Uint32Array(records.length);
    let count = 0;
    for (const { numbers: ranks } of this.places.readTerms()) {
      for (const rank of ranks) {
        if (countRecords(rank) === 0) continue;
        named[count] = rank;
        count++;
      }
    }
    const places = named.slice(0, count);
    for (let right = placeCount; right < records.length; right++) {
      named[count] = right;
      count++;
    }
    const numbers = sortByRecords(named.subarray(0, count), countRecords);
    const thingByNumber = new Uint32Array(records.length);
    for (const [thing, number] of numbers.entries()) thingByNumber[number] = thing;
    const listThings = (candidates: readonly number[]): Uint32Array => {
      const withRecords = Uint32Array.from(candidates).filter((number) => countRecords(number) > 0);
      return withRecords.map((number) => numberAt(thingByNumber, number)).sort();
    };
    const recordCountRuns: number[] = [];
    numbers.forEach((number, thing) => {
      if (recordCountRuns.at(-1) !== countRecords(number)) recordCountRuns.push(thing, countRecords(number));
    });
    const directory = {
      thingNumbers: toNarrowNumbers(numbers),
      placesByName: toNarrowNumbers(places.map((rank) => numberAt(thingByNumber, rank))),
      recordCountRuns: Uint32Array.from(recordCountRuns),
      ...(await this.writeTerms(writer, listThings)),
    };
    writer.addArtifact('names', [writeNameDirectory(directory)]);
  }

  private add(name: string | null, identifiers: readonly (string | null)[], records: number): void {
    const number = this.records.push(records) - 1;
    for (const term of buildNameTerms(name, identifiers)) this.terms.add(term, number);
  }

  /** Writes the blocks of terms, then the blocks of prefixes. */
  private async writeTerms(
    writer: Pick<ReleaseWriter, 'addFragment' | 'drain'>,
    listThings: (numbers: readonly number[]) => Uint32Array,
  ): Promise<{ readonly firstTerms: readonly string[]; readonly prefixes: readonly string[] }> {
    const firstTerms: string[] = [];
    const beginnings = new NamePrefixes();
    let block = new TermBlockBuilder();
    const endBlock = async (): Promise<void> => {
      writer.addFragment('names', block.build());
      block = new TermBlockBuilder();
      await writer.drain();
    };
    for (const { term, numbers } of this.terms.readTerms()) {
      const things = listThings(numbers);
      if (things.length === 0) continue;
      if (block.isEmpty) firstTerms.push(term);
      block.add(term, toRuns(things));
      if (supportsPrefixSearch(term)) beginnings.add(term, things);
      if (block.isFull) await endBlock();
    }
    if (!block.isEmpty) await endBlock();
    beginnings.close(0);
    const blocks = [...beginnings.blocks].sort(([a], [b]) => compareUtf8(a, b));
    for (const [, content] of blocks) writer.addFragment('names', content);
    return { firstTerms, prefixes: blocks.map(([prefix]) => prefix) };
  }
}
