// Writes the lookups of a release in the order of their numbers.

import { dataSetLayouts, lookupKindsOf } from '../../shared/records/data-sets';
import type { LookupKind } from '../../shared/records/lookups';
import type { MethodRow, VariableRow, WaterSourceRow } from '../format/submission-files';
import { tableOfKind } from './index/lookup-numbers';
import { writeBeneficialUse, writeMethod, writeVariable, writeWaterSource } from './records/lookup-json';
import { writePlaceLookups, type PlacesInput } from './write-places';

export async function writeLookups(input: PlacesInput): Promise<void> {
  const { definition, staging, referenced, numbers, categoriesOf } = input;
  for (const kind of lookupKindsOf(dataSetLayouts[definition.kind])) {
    switch (kind) {
      case 'BeneficialUses':
        for (const use of numbers.uses()) write(input, writeBeneficialUse(use, categoriesOf(use)));
        break;
      case 'Sites':
      case 'ReportingUnits':
        await writePlaceLookups(input);
        break;
      case 'VariableSpecifics':
      case 'Methods':
      case 'WaterSources': {
        const table = tableOfKind[kind];
        for (const { number, row } of staging.lookups(table)) {
          if (referenced.has(table, number)) write(input, itemOf(kind, JSON.parse(row)));
        }
      }
    }
  }
}

type SmallKind = Exclude<LookupKind, 'BeneficialUses' | 'Sites' | 'ReportingUnits'>;

/** The JSON text of a lookup, whose row stageLookups staged. */
function itemOf(kind: SmallKind, row: unknown): string {
  switch (kind) {
    case 'VariableSpecifics':
      return writeVariable(row as VariableRow);
    case 'Methods':
      return writeMethod(row as MethodRow);
    case 'WaterSources':
      return writeWaterSource(row as WaterSourceRow);
  }
}

function write({ writer, digests }: PlacesInput, json: string): void {
  writer.addFragment('lookups', json);
  digests.add(json);
}
