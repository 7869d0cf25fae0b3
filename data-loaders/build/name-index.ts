// Collects the names and identifiers of places and rights while a release is built, and writes its index of names
// (D60). Names and terms wait in sorted runs, so memory does not grow with them.

import { join } from 'node:path';
import {
  nameTerms,
  NAMES_OF_BLOCK,
  TermBlockBuilder,
  writeNameBlock,
  writeNameDirectory,
} from '../../shared/search/index/name-index';
import type { FilterField } from '../../shared/query/text-filters';
import type { ReleaseWriter } from '../../shared/store/port';
import { foldName } from '../../shared/values/text';
import type { AllocationRow } from '../format/amount-definitions';
import { SortedRuns } from '../stage/sorted-runs';
import { RunList, StagedTerms } from './posting-lists';

interface NamedPlace {
  readonly name: string | null;
  readonly identifiers: readonly (string | null)[];
}

/** Parts the folded name of a place from the name as submitted. No folded name has it. */
const BEHIND_FOLDED = '\0';

export class NameIndexWriter {
  private readonly places: SortedRuns;
  private readonly terms: StagedTerms;
  private readonly ranks: number[] = [];
  private readonly firstNames: string[] = [];
  private readonly firstTerms: string[] = [];
  private readonly sharedByRights = new Map<number, number>();
  private readonly sharedByPlaces = new Map<number, number>();
  /** The rights that only a native identifier finds. */
  private readonly native = new Set<number>();
  private rights = 0;
  private added = 0;

  constructor(folder: string) {
    this.places = new SortedRuns(join(folder, 'names'), 1);
    this.terms = new StagedTerms(join(folder, 'name_terms'));
  }

  /** Places come in the order of their ranks, before all rights. */
  addPlace(place: NamedPlace): void {
    const key = `${foldName(place.name ?? '')}${BEHIND_FOLDED}${place.name ?? ''}`;
    this.places.add(key, JSON.stringify({ ...place, rank: this.added++ }));
  }

  /** Frees the memory of the places that were added. */
  save(): void {
    this.places.save();
  }

  /** Rights come in the order of their records. */
  addRight({ AllocationUUID, AllocationNativeID }: AllocationRow): void {
    if (AllocationUUID === null) this.native.add(this.rights);
    this.addTerms(this.rights++, { name: null, identifiers: [AllocationUUID, AllocationNativeID] });
  }

  /** Records that one term of an identifier stands for. */
  addSharing(field: FilterField, records: readonly number[]): void {
    for (const record of records) {
      const isFilter = this.native.has(record) ? field === 'allocationNativeId' : field === 'allocationUuid';
      if (isFilter) this.sharedByRights.set(record, records.length);
    }
  }

  /** Places that one term of an identifier stands for, with the records of all of them. */
  addSharingPlaces(ranks: readonly number[], records: number): void {
    for (const rank of ranks) this.sharedByPlaces.set(rank, records);
  }

  async finish(writer: Pick<ReleaseWriter, 'addFragment' | 'addArtifact' | 'drain'>): Promise<void> {
    await this.writeNames(writer);
    await this.writeTerms(writer);
    const { firstNames, firstTerms, sharedByRights, sharedByPlaces } = this;
    const lists = { firstNames, firstTerms, sharedByRights, sharedByPlaces };
    writer.addArtifact('names', writeNameDirectory(Uint32Array.from(this.ranks), lists));
  }

  close(): void {
    this.places.close();
    this.terms.close();
  }

  private addTerms(thing: number, { name, identifiers }: NamedPlace): void {
    for (const term of nameTerms(name, identifiers)) this.terms.add(term, thing);
  }

  private async writeNames(writer: Pick<ReleaseWriter, 'addFragment' | 'drain'>): Promise<void> {
    let block: (string | null)[] = [];
    const endBlock = async (): Promise<void> => {
      if (block.length === 0) return;
      this.firstNames.push(foldName(block[0] ?? ''));
      writer.addFragment('names', writeNameBlock(block));
      block = [];
      await writer.drain();
    };
    for (const row of this.places.rows()) {
      // Written by addPlace.
      const { rank, ...place } = JSON.parse(row.part(0).toString()) as NamedPlace & { readonly rank: number };
      this.addTerms(this.rights + this.ranks.push(rank) - 1, place);
      block.push(place.name);
      if (block.length === NAMES_OF_BLOCK) await endBlock();
    }
    await endBlock();
  }

  private async writeTerms(writer: Pick<ReleaseWriter, 'addFragment' | 'drain'>): Promise<void> {
    let block = new TermBlockBuilder();
    let isEmpty = true;
    for (const { term, numbers } of this.terms.all()) {
      if (isEmpty) this.firstTerms.push(term);
      const things = new RunList();
      for (const number of numbers) things.add(number);
      block.add(term, things.pairs());
      isEmpty = block.isFull;
      if (!isEmpty) continue;
      writer.addFragment('names', block.build());
      await writer.drain();
      block = new TermBlockBuilder();
    }
    if (!isEmpty) writer.addFragment('names', block.build());
  }
}
