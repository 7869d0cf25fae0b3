// To which methods, water sources and uses the amounts at a place refer, for its page (D49): what the columns of its
// records name, each once. The records of a place follow each other (D17).

import { parseItems } from '../answer/page-texts';
import type { LookupKind } from '../records/lookups';
import type { Item } from '../records/record-references';
import { columnDirectoryOf, lookupRange, ordinalChunkOf, placeSeriesOf } from '../search/index/release-index';
import type { SearchCaches } from '../search/index/search-caches';
import { CHUNK_RECORDS } from '../store/artifacts';
import type { ReleaseReader } from '../store/port';
import { numberAt } from '../values/numbers';

export interface PlaceReferences {
  readonly methods: readonly Item[];
  readonly waterSources: readonly Item[];
  readonly uses: readonly Item[];
}

/** `reader` is of a release of amounts. */
export async function placeReferencesOf(
  reader: ReleaseReader,
  rank: number,
  caches: SearchCaches,
): Promise<PlaceReferences> {
  const { ends, recordEnds } = await placeSeriesOf(reader, caches);
  const recordsBefore = (series: number): number => (series === 0 ? 0 : numberAt(recordEnds, series - 1));
  const from = recordsBefore(rank === 0 ? 0 : numberAt(ends, rank - 1));
  const end = recordsBefore(numberAt(ends, rank));
  const { useSets } = await columnDirectoryOf(reader, caches);
  const ordinals = (column: 'method' | 'source' | 'useSet'): Promise<ReadonlySet<number>> =>
    ordinalsBetween(reader, column, { from, end }, caches);
  const uses = new Set([...(await ordinals('useSet'))].flatMap((set) => useSets[set] ?? []));
  // Ordinal 0 stands for no water source.
  const sources = [...(await ordinals('source'))].flatMap((ordinal) => (ordinal === 0 ? [] : [ordinal - 1]));
  return {
    methods: await lookupsAt(reader, 'Methods', await ordinals('method')),
    waterSources: await lookupsAt(reader, 'WaterSources', new Set(sources)),
    uses: await lookupsAt(reader, 'BeneficialUses', uses),
  };
}

async function ordinalsBetween(
  reader: ReleaseReader,
  column: 'method' | 'source' | 'useSet',
  { from, end }: { readonly from: number; readonly end: number },
  caches: SearchCaches,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (let chunk = Math.floor(from / CHUNK_RECORDS); chunk * CHUNK_RECORDS < end; chunk++) {
    const first = chunk * CHUNK_RECORDS;
    const ordinals = await ordinalChunkOf(reader, column, chunk, caches);
    for (const ordinal of ordinals.subarray(Math.max(0, from - first), end - first)) found.add(ordinal);
  }
  return found;
}

async function lookupsAt(
  reader: ReleaseReader,
  kind: LookupKind,
  numbers: ReadonlySet<number>,
): Promise<readonly Item[]> {
  const [first] = lookupRange(reader, kind);
  return parseItems(await reader.lookups(Uint32Array.from(numbers, (number) => first + number).sort()));
}
