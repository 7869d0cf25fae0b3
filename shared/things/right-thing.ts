// A water right with all that it refers to, for its page (D49).

import { featureIdParts, rightId } from '../answer/features/feature-ids';
import { itemsOf, readSlice } from '../answer/page-texts';
import { isOneOf } from '../query/condition';
import { lookupIdentifiers, type LookupKind } from '../records/lookups';
import type { Organization } from '../records/organization';
import { identifiersIn, recordReferences, type Item } from '../records/record-references';
import type { ReadRelease } from '../search/plan-page';
import type { SearchContext } from '../search/index/search-caches';
import { evaluate } from '../search/evaluate';
import type { CatalogState } from '../store/catalog-types';
import { lastChangeOf, type LastChange } from './last-change';

export interface RightThing {
  readonly organization: Organization;
  readonly record: Item;
  /** In the order of the record. */
  readonly sites: readonly Item[];
  readonly waterSources: readonly Item[];
  readonly methods: readonly Item[];
  readonly change: LastChange;
}

/** `id` is that of the feature, which `release` has. */
export async function readRight(
  id: string,
  release: ReadRelease,
  state: CatalogState,
  context: SearchContext,
): Promise<RightThing> {
  const { own } = featureIdParts(id);
  for (const field of ['allocationUuid', 'allocationNativeId'] as const) {
    const condition = isOneOf(field, [own]);
    const found = await evaluate(condition, release, context.caches);
    const slice = itemsOf(await readSlice({ reader: release.reader, numbers: found.numbers() }, () => undefined));
    const { organization, records, lookups } = slice;
    const record = records.find((one) => rightId(organization.OrganizationUUID, one) === id);
    if (record === undefined) continue;
    const referred = (kind: LookupKind): readonly Item[] => lookupsOf(record, kind, lookups.get(kind) ?? []);
    return {
      ...{ organization, record, sites: referred('Sites') },
      ...{ waterSources: referred('WaterSources'), methods: referred('Methods') },
      change: await lastChangeOf(release, condition, state, context),
    };
  }
  throw new Error('a feature that its release has not');
}

function lookupsOf(record: Item, kind: LookupKind, items: readonly Item[]): readonly Item[] {
  const reference = recordReferences.WaterAllocations.find(({ lookups }) => lookups === kind);
  if (reference === undefined) return [];
  const known = new Map<unknown, Item>(items.map((item) => [item[lookupIdentifiers[kind]], item] as const));
  return identifiersIn(record, reference).flatMap((identifier) => {
    const item = known.get(identifier);
    return item === undefined ? [] : [item];
  });
}
