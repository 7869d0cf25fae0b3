// Collects the names and identifiers of places and rights while a release is built, and writes its index of names
// (D60, ADR 0059). Names and terms wait in sorted runs, so memory grows by some bytes for each, not by their texts.

import type { FilterField } from '../../shared/query/filter-fields';
import {
  addPosition,
  supportsPrefixSearch,
  endsInsideCharacter,
  buildNameTerms,
  sortByRecords,
  readPosition,
  getSharedLength,
  TermBlockBuilder,
  writeNameDirectory,
} from '../../shared/search/index/name-index';
import type { ReleaseWriter } from '../../shared/store/port';
import { toNarrowNumbers } from '../../shared/values/bytes/sections';
import { numberAt } from '../../shared/values/numbers';
import { compareUtf8, foldName } from '../../shared/values/text';
import type { AllocationRow } from '../format/amount-definitions';
import type { Staging } from '../stage/staging';
import { pairsOf, StagedTerms } from './posting-lists';

interface NamedPlace {
  readonly name: string | null;
  readonly identifiers: readonly (string | null)[];
}

/** Parts the folded name of a place from the name as submitted. No folded name has it. */
const BEHIND_FOLDED = '\0';

export class NameIndexWriter {
  /** The places by their names, folded and then as submitted. */
  private readonly places: StagedTerms;
  private readonly terms: StagedTerms;
  /** The rights that only a native identifier finds. */
  private readonly native = new Set<number>();
  /** How many records the filter of a thing finds: of places by their ranks, then of rights by their records. */
  private readonly records: number[] = [];
  private placeCount = 0;

  constructor(staging: Pick<Staging, 'newRuns'>) {
    this.places = new StagedTerms(staging.newRuns('names'));
    this.terms = new StagedTerms(staging.newRuns('name_terms'));
  }

  /** Places come in the order of their ranks, before all rights. */
  addPlace({ name, identifiers }: NamedPlace): void {
    this.places.add(`${foldName(name ?? '')}${BEHIND_FOLDED}${name ?? ''}`, this.placeCount);
    this.add(name, identifiers, 0);
    this.placeCount++;
  }

  /** Rights come in the order of their records. */
  addRight({ AllocationUUID, AllocationNativeID }: AllocationRow): void {
    if (AllocationUUID === null) this.native.add(this.records.length);
    this.add(null, [AllocationUUID, AllocationNativeID], 1);
  }

  /** Records that one term of an identifier of rights stands for. */
  countRights(field: FilterField, rights: readonly number[]): void {
    for (const right of rights) {
      const number = this.placeCount + right;
      const isFilter = this.native.has(number) ? field === 'allocationNativeId' : field === 'allocationUuid';
      if (isFilter) this.records[number] = rights.length;
    }
  }

  /** Places that one term of an identifier stands for, with the records of all of them. */
  countPlaces(ranks: readonly number[], records: number): void {
    for (const rank of ranks) this.records[rank] = records;
  }

  async finish(writer: Pick<ReleaseWriter, 'addFragment' | 'addArtifact' | 'drain'>): Promise<void> {
    const { records, placeCount } = this;
    const recordsOf = (number: number): number => numberAt(records, number);
    const found = new Uint32Array(records.length);
    let count = 0;
    for (const { numbers: ranks } of this.places.all()) {
      for (const rank of ranks) if (recordsOf(rank) > 0) found[count++] = rank;
    }
    const places = found.slice(0, count);
    for (let right = placeCount; right < records.length; right++) found[count++] = right;
    const numbers = sortByRecords(found.subarray(0, count), recordsOf);
    const thingOf = new Uint32Array(records.length);
    numbers.forEach((number, thing) => (thingOf[number] = thing));
    const thingsOf = (some: readonly number[]): Uint32Array => {
      const found = Uint32Array.from(some).filter((number) => recordsOf(number) > 0);
      return found.map((number) => numberAt(thingOf, number)).sort();
    };
    const recordCountRuns: number[] = [];
    numbers.forEach((number, thing) => {
      if (recordCountRuns.at(-1) !== recordsOf(number)) recordCountRuns.push(thing, recordsOf(number));
    });
    const directory = {
      thingNumbers: toNarrowNumbers(numbers),
      placesByName: toNarrowNumbers(places.map((rank) => numberAt(thingOf, rank))),
      recordCountRuns: Uint32Array.from(recordCountRuns),
      ...(await this.writeTerms(writer, thingsOf)),
    };
    writer.addArtifact('names', [writeNameDirectory(directory)]);
  }

  private add(name: string | null, identifiers: readonly (string | null)[], records: number): void {
    const number = this.records.push(records) - 1;
    for (const term of buildNameTerms(name, identifiers)) this.terms.add(term, number);
  }

  /** Writes the blocks of terms, then those of beginnings. */
  private async writeTerms(
    writer: Pick<ReleaseWriter, 'addFragment' | 'drain'>,
    thingsOf: (numbers: readonly number[]) => Uint32Array,
  ): Promise<{ readonly firstTerms: readonly string[]; readonly prefixes: readonly string[] }> {
    const firstTerms: string[] = [];
    const beginnings = new NameBeginnings();
    let block = new TermBlockBuilder();
    const endBlock = async (): Promise<void> => {
      writer.addFragment('names', block.build());
      block = new TermBlockBuilder();
      await writer.drain();
    };
    for (const { term, numbers } of this.terms.all()) {
      const things = thingsOf(numbers);
      if (things.length === 0) continue;
      if (block.isEmpty) firstTerms.push(term);
      block.add(term, pairsOf(things));
      if (supportsPrefixSearch(term)) beginnings.add(term, things);
      if (block.isFull) await endBlock();
    }
    if (!block.isEmpty) await endBlock();
    beginnings.close(0);
    const blocks = [...beginnings.blocks].sort(([a], [b]) => compareUtf8(a, b));
    for (const [, content] of blocks) writer.addFragment('names', content);
    return { firstTerms, prefixes: blocks.map(([beginning]) => beginning) };
  }
}

/** So many terms are some blocks, which are read in less than a millisecond. */
const MANY_TERMS = 4_096;

/** The terms so far that begin alike. */
interface OpenBeginning {
  terms: number;
  /** By position in names. */
  readonly things: number[][];
}

/** Makes a block of the things of many terms that begin alike, so that a search reads it in place of theirs. */
class NameBeginnings {
  readonly blocks = new Map<string, Uint8Array>();
  /** What the last term begins with: its mark and one more character, then one more each. */
  private readonly open: OpenBeginning[] = [];
  private last = '';

  /** Terms come in their order. */
  add(term: string, things: Uint32Array): void {
    this.close(Math.max(0, getSharedLength(term, this.last) - 1));
    this.last = term;
    while (this.open.length < term.length - 1) this.open.push({ terms: 0, things: [] });
    const own: number[][] = [];
    own[readPosition(term)] = Array.from(things);
    addThings(this.open.at(-1), { terms: 1, things: own });
  }

  /** Ends the beginnings that are longer. */
  close(depth: number): void {
    while (this.open.length > depth) {
      const ended = this.open.pop();
      if (ended === undefined) return;
      const beginning = this.last.slice(0, this.open.length + 2);
      const isWritten = ended.terms >= MANY_TERMS && !endsInsideCharacter(beginning, beginning.length);
      if (isWritten) this.blocks.set(beginning, blockOf(beginning, ended));
      addThings(this.open.at(-1), ended);
    }
  }
}

function addThings(to: OpenBeginning | undefined, { terms, things }: OpenBeginning): void {
  if (to === undefined) return;
  to.terms += terms;
  things.forEach((added, position) => {
    const known = to.things[position];
    if (known === undefined) to.things[position] = added;
    else for (const number of added) known.push(number);
  });
}

function blockOf(beginning: string, { things }: OpenBeginning): Uint8Array {
  const block = new TermBlockBuilder();
  things.forEach((numbers, position) => {
    block.add(addPosition(beginning, position), pairsOf(Uint32Array.from(numbers).sort()));
  });
  return block.build();
}
