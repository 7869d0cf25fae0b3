// The properties that a feature has of the lookups of its record, by the JSON texts of both.

import type { DataSetLayout } from '../../records/data-sets';
import { lookupIdentifiers, lookupMembers, type LookupKind } from '../../records/lookups';
import type { RecordReference } from '../../records/record-references';
import type { JoinedFragments } from '../../store/port';
import { MemberCutter, visitObjects } from '../../values/json-members';
import { itemText, objectCutter, remembering, rememberingLast, propertyText } from './feature-members';
import { listTextOf } from '../page-texts';
import type { JoinedColumns, TableColumn } from '../table-columns';

/** The texts of some members of each lookup, by the text of its identifier. */
export type LookupTexts = ReadonlyMap<string, readonly string[]>;

export function lookupTexts(
  kind: LookupKind,
  members: readonly string[],
  texts: JoinedFragments | undefined,
): LookupTexts {
  const names = Object.keys(lookupMembers[kind]);
  const cutter = new MemberCutter(names, [...members, lookupIdentifiers[kind]]);
  const list = listTextOf(texts);
  const found = new Map<string, readonly string[]>();
  visitObjects(list, names[0] ?? '', (start, end) => {
    const cut = cutter.cut(list, start, end);
    found.set(cut.at(-1) ?? '', cut);
  });
  return found;
}

/** Gives the texts of the identifiers in the text of the member that refers to lookups. */
export function identifierTexts(
  { recordMembers }: Pick<DataSetLayout, 'recordMembers'>,
  { member, within, isList }: RecordReference,
): (text: string) => readonly string[] {
  if (!isList) return (text) => (text === 'null' ? [] : [text]);
  if (within !== undefined) {
    const cut = objectCutter(recordMembers, member, [within]);
    return rememberingLast((text) => cut(text).flat());
  }
  return remembering((text) => (JSON.parse(text) as readonly unknown[]).map((item) => JSON.stringify(item)));
}

/**
 * Gives the properties by the text of the member that refers to the lookups, as members with a comma before each. In
 * `texts` they begin at the slot `first`.
 */
export function joinedMembers(
  layout: DataSetLayout,
  { reference, columns }: JoinedColumns,
  texts: LookupTexts,
  first: number,
): (text: string) => string {
  const identifiersIn = identifierTexts(layout, reference);
  const make = (text: string): string => {
    const found = identifiersIn(text).map((id) => texts.get(id));
    let written = '';
    columns.forEach((column, slot) => {
      written += `,"${column.name}":${joinedText(column, first + slot, found, reference.isList)}`;
    });
    return written;
  };
  return reference.within === undefined ? remembering(make) : rememberingLast(make);
}

function joinedText(
  column: TableColumn,
  slot: number,
  found: readonly (readonly string[] | undefined)[],
  isList: boolean,
): string {
  if (isList) {
    let written = '[';
    for (let at = 0; at < found.length; at++) written += (at === 0 ? '' : ',') + itemText(found[at]?.[slot]);
    return `${written}]`;
  }
  const text = found[0]?.[slot];
  if (text === undefined) return column.isList ? '[]' : 'null';
  return propertyText(column, text);
}
