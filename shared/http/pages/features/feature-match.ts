// A feature from a search of a catalog state, and where its data come from.

import type { Condition } from '../../../query/condition';
import type { Item } from '../../../records/record-references';
import type { Organization } from '../../../records/records';
import type { CatalogRelease } from '../../../search/open-releases';
import type { LastChange } from './last-change';

/** The sources of a feature's data. */
export interface FeatureSources {
  readonly organization: Organization;
  readonly waterSources: readonly Item[];
  readonly methods: readonly Item[];
  readonly change: LastChange;
}

/** A feature, as returned by a search. */
export interface FeatureMatch {
  /** GeoJSON. */
  readonly text: string;
  readonly release: CatalogRelease;
  /** The number of the record, or the number of the place among the places of its kind. */
  readonly number: number;
  /** The condition that matched the feature, and the releases in which the condition may match more records. */
  readonly condition: Condition;
  readonly releases: readonly CatalogRelease[];
  /** The number of rights on the site; undefined for anything but a site. */
  readonly allocations?: number | undefined;
}
