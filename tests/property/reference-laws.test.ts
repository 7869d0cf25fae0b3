// Every reference in an answer resolves, and every lookup is referred to (D24), over random small submissions (seeded).

import fc from 'fast-check';
import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import { pathOf } from '../fixtures/plain-search';
import { randomQuery, randomSubmission } from '../fixtures/random-submission';
import { createTestService } from '../fixtures/test-service';

const SEED = 19_911_231;

type Item = Readonly<Record<string, unknown>>;
type Organization = Readonly<Record<string, readonly Item[] | undefined>>;

const service = createTestService();

/** What the records of a page refer to, each once, in the order of identifiers or names. */
function referencesOf(kind: DataSetKind, organization: Organization): Readonly<Record<string, readonly string[]>> {
  const records = organization[kind] ?? [];
  const all = (pick: (record: Item) => readonly unknown[]): readonly string[] =>
    [...new Set(records.flatMap(pick))].filter((id) => typeof id === 'string').sort(byBytes);
  const sites = all((record) => [
    record['SiteUUID'],
    ...((record['Sites'] as Item[] | undefined) ?? []).map((site) => site['SiteUUID']),
  ]);
  const siteSources = (organization['Sites'] ?? []).flatMap((site) => site['WaterSourceUUIDs'] as string[]);
  return {
    VariableSpecifics: all((record) => [record['VariableSpecificUUID']]),
    Methods: all((record) => [record['MethodUUID']]),
    WaterSources: [...new Set([...all((record) => [record['WaterSourceUUID']]), ...siteSources])].sort(byBytes),
    BeneficialUses: all((record) => [...usesOf(record), record['PrimaryUseCategoryCV']]),
    ...(kind === 'AggregatedAmounts'
      ? { ReportingUnits: all((record) => [record['ReportingUnitUUID']]) }
      : { Sites: sites }),
  };
}

function usesOf(record: Item): readonly unknown[] {
  const uses = (record['BeneficialUses'] ?? record['BeneficialUseCategoryCV']) as readonly (string | Item)[];
  return uses.map((use) => (typeof use === 'string' ? use : use['BeneficialUseCategoryCV']));
}

function lookupsOf(organization: Organization, names: readonly string[]): Readonly<Record<string, readonly unknown[]>> {
  const identifiers: Readonly<Record<string, string>> = {
    ...{ VariableSpecifics: 'VariableSpecificUUID', Methods: 'MethodUUID', WaterSources: 'WaterSourceUUID' },
    ...{ BeneficialUses: 'Name', Sites: 'SiteUUID', ReportingUnits: 'ReportingUnitUUID' },
  };
  return Object.fromEntries(
    names.map((name) => [name, (organization[name] ?? []).map((item) => item[identifiers[name] ?? ''])]),
  );
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

test('every reference resolves and every lookup is referred to, on every page', async () => {
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: 5 })) {
    await service.load(submission);
    for (const kind of DATA_SET_KINDS) {
      for (const query of fc.sample(randomQuery(kind), { seed: SEED, numRuns: 8 })) {
        for (const page of ['RecordCount=10000', 'RecordCount=3', 'RecordCount=5&StartIndex=4']) {
          const { json } = await service.get(pathOf(kind, query, page));
          for (const organization of json.Organizations as Organization[]) {
            const expected = referencesOf(kind, organization);
            expect(lookupsOf(organization, Object.keys(expected))).toEqual(expected);
          }
        }
      }
    }
  }
});
