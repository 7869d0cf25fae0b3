// Reads the content of the page of a water right (D49): the record, and the lookups that it refers to.

import type { LookupKind } from '../../../records/lookups';
import { type Item, readIdentifiers, recordReferences } from '../../../records/record-references';
import { indexLookups, readSlice } from '../../../render/read-page';
import type { SearchContext } from '../../../search/index/search-caches';
import type { CatalogState } from '../../../store/catalog-types';
import { parseItems } from '../../../store/joined-fragments';
import type { FeatureMatch, FeatureSources } from './feature-match';
import { findLastChange } from './last-change';

/** Lists are in the order of the record. */
export interface RightDetails extends FeatureSources {
  readonly record: Item;
  readonly sites: readonly Item[];
}

export async function readRightDetails(
  match: FeatureMatch,
  state: CatalogState,
  context: SearchContext,
): Promise<RightDetails> {
  const numbers = Uint32Array.of(match.number);
  const slice = await readSlice({ reader: match.release.reader, numbers }, () => undefined);
  const [record = {}] = parseItems(slice.records);
  const lookups = indexLookups(slice);
  const listReferred = (kind: LookupKind): readonly Item[] => selectLookups(record, kind, lookups.get(kind));
  return {
    organization: slice.organization,
    record,
    sites: listReferred('Sites'),
    waterSources: listReferred('WaterSources'),
    methods: listReferred('Methods'),
    change: await findLastChange(match, state, context),
  };
}

function selectLookups(record: Item, kind: LookupKind, items?: ReadonlyMap<unknown, Item>): readonly Item[] {
  const reference = recordReferences.WaterAllocations.find(({ lookups }) => lookups === kind);
  if (reference === undefined) return [];
  return readIdentifiers(record, reference)
    .map((identifier) => items?.get(identifier))
    .filter((item) => item !== undefined);
}
