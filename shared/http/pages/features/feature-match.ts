// A feature that was found in a catalog state, and where its data come from.

import type { Condition } from '../../../query/condition';
import type { Item } from '../../../records/record-references';
import type { Organization } from '../../../records/records';
import type { CatalogRelease } from '../../../search/open-releases';
import type { LastChange } from './last-change';

/** Where the data of a feature are from. */
export interface FeatureSources {
  readonly organization: Organization;
  readonly waterSources: readonly Item[];
  readonly methods: readonly Item[];
  readonly change: LastChange;
}

/** A feature as it was found in a catalog state. */
export interface FeatureMatch {
  /** As GeoJSON. */
  readonly text: string;
  readonly release: CatalogRelease;
  /** The number of the record, or of the place within its kind. */
  readonly number: number;
  /** What found it, and what else its identifier stands for, in these releases. */
  readonly condition: Condition;
  readonly releases: readonly CatalogRelease[];
  /** How many rights name it; undefined of what is no site. */
  readonly allocations?: number | undefined;
}
