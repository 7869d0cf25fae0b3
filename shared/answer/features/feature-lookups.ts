// The properties that a feature has of the lookups of its record, by the JSON texts of both.

import { lookupIdentifiers, lookupMembers, type LookupKind } from '../../records/lookups';
import type { RecordReference } from '../../records/record-references';
import type { Allocate, ByteWriter } from '../../values/byte-writer';
import { isNull, itemPositions, LocatedObjects, MemberCutter } from '../../values/json-members';
import { numberAt } from '../../values/numbers';
import type { PlaceAt } from './feature-geometry';
import { propertyWriter, remembering, writeItem, type TextWriter } from './feature-members';
import { listBytesOf, type SliceTexts } from '../page-texts';
import type { JoinedColumns, TableColumn } from '../table-columns';

/** Gives the numbers of the lookups in the text of the member that refers to them; -1 for one that is not there. */
export type LookupFinder = (bytes: Buffer, start: number, end: number) => readonly number[];

/** The texts of a page's lookups, and the memory that they are read into. */
export interface LookupList {
  readonly of: SliceTexts['lookups'];
  readonly allocate: Allocate;
}

/** The lookups of one kind on a page, with some members of each. */
export class LookupTexts {
  readonly bytes: Buffer;
  private readonly objects: LocatedObjects;
  private readonly identifier: number;
  private readonly numbers = new Map<string, number>();

  constructor(kind: LookupKind, members: readonly string[], texts: LookupList) {
    this.bytes = listBytesOf(texts.of.get(kind), texts.allocate);
    this.identifier = members.length;
    const names = Object.keys(lookupMembers[kind]);
    this.objects = new LocatedObjects(new MemberCutter(names, [...members, lookupIdentifiers[kind]]));
    this.objects.locate(this.bytes, 0, this.bytes.length);
    for (let lookup = 0; lookup < this.objects.count; lookup++) {
      const [start, end] = [this.startOf(lookup, this.identifier), this.endOf(lookup, this.identifier)];
      this.numbers.set(this.bytes.toString('latin1', start, end), lookup);
    }
  }

  /** The number of the lookup with an identifier; -1 without one. */
  find(bytes: Buffer, start: number, end: number): number {
    return this.numbers.get(bytes.toString('latin1', start, end)) ?? -1;
  }

  /** The member has this index among those that were named. */
  startOf(lookup: number, member: number): number {
    return this.objects.startOf(lookup, member);
  }

  endOf(lookup: number, member: number): number {
    return this.objects.endOf(lookup, member);
  }

  /** The lookup as a place: the first of its members are those that say where it lies. */
  placeAt(lookup: number): PlaceAt {
    return { bytes: this.bytes, positions: this.objects.positions, first: this.objects.pairOf(lookup, 0) };
  }

  /** The JSON of its identifier. */
  idOf(lookup: number): string {
    return this.bytes.toString('utf8', this.startOf(lookup, this.identifier), this.endOf(lookup, this.identifier));
  }
}

/** Finds what a member refers to that is an identifier, or a list of them. */
export function lookupFinder({ isList }: RecordReference, lookups: LookupTexts): LookupFinder {
  if (!isList) return (bytes, start, end) => (isNull(bytes, start) ? [] : [lookups.find(bytes, start, end)]);
  return (bytes, start) => {
    const items = itemPositions(bytes, start);
    const numbers: number[] = [];
    for (let at = 0; at < items.length; at += 2) {
      numbers.push(lookups.find(bytes, numberAt(items, at), numberAt(items, at + 1)));
    }
    return numbers;
  };
}

/**
 * Writes the properties by the text of the member that refers to the lookups, as members with a comma before each. In
 * `lookups` they begin at the member `first`.
 */
export function joinedWriter(
  { reference, columns }: JoinedColumns,
  { lookups, find, first }: { readonly lookups: LookupTexts; readonly find: LookupFinder; readonly first: number },
  target: ByteWriter,
): TextWriter {
  const parts = columns.map((column, index) => {
    const writeText = reference.isList ? undefined : propertyWriter(column, target);
    return { head: Buffer.from(`,"${column.name}":`), member: first + index, writeText, missing: missingText(column) };
  });
  const write: TextWriter = (bytes, start, end) => {
    const found = find(bytes, start, end);
    const lookup = found[0] ?? -1;
    for (const { head, member, writeText, missing } of parts) {
      target.copyAll(head);
      if (writeText === undefined) writeList(target, lookups, found, member);
      else if (lookup === -1) target.ascii(missing);
      else writeText(lookups.bytes, lookups.startOf(lookup, member), lookups.endOf(lookup, member));
    }
  };
  return remembering(target, write);
}

function missingText({ isList }: TableColumn): string {
  return isList ? '[]' : 'null';
}

function writeList(target: ByteWriter, lookups: LookupTexts, found: readonly number[], member: number): void {
  target.ascii('[');
  for (let at = 0; at < found.length; at++) {
    const lookup = numberAt(found, at);
    if (at > 0) target.ascii(',');
    if (lookup === -1) target.ascii('""');
    else writeItem(target, lookups.bytes, lookups.startOf(lookup, member), lookups.endOf(lookup, member));
  }
  target.ascii(']');
}
