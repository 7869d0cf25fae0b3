// Details of sites, such as USGS and NHD identifiers, that the records of the rights on these sites do not repeat.

import type { LookupKind } from '../records/lookups';
import { loadArtifact } from '../search/index/release-index';
import { getLookupRange } from '../search/index/release-lookups';
import type { SearchCaches } from '../search/index/search-caches';
import type { ReleaseReader } from '../store/port';
import { BitSet } from '../values/bytes/bit-set';
import { Sections, writeSections } from '../values/bytes/sections';
import { tableColumns } from './table-columns';

/**
 * Few sites have any of these details. A release of rights stores which sites do, so that only the texts of those sites
 * are read.
 */
export const SITE_DETAILS = tableColumns.WaterAllocations.joined
  .filter(({ reference }) => reference.lookups === 'Sites')
  .flatMap(({ columns }) => columns.map(({ member }) => member));

/** `detailed` contains the ranks of the sites that have any of SITE_DETAILS. */
export function writeSiteDetails(detailed: BitSet): Uint8Array {
  return writeSections([detailed.words]);
}

/** Selects the lookups that contribute properties to features. Numbers are ascending. */
export async function selectFeatureLookups(
  reader: ReleaseReader,
  kind: LookupKind,
  numbers: Uint32Array,
  caches: SearchCaches,
): Promise<Uint32Array> {
  if (reader.facts.dataSet !== 'WaterAllocations' || kind !== 'Sites') return numbers;
  const [first, end] = getLookupRange(reader, kind);
  const read = (content: Uint8Array): BitSet => new BitSet(end - first, new Sections(content).numbers(Uint32Array, 0));
  const detailed = await loadArtifact({ reader, caches }, 'siteDetails', read);
  return numbers.filter((number) => detailed.has(number - first));
}
