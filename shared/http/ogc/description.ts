// What the description pages of the OGC API are built from, and their two formats: JSON and HTML.

import type { ItemFormat } from '../../query/cql2/item-parameters';
import type { CatalogState } from '../../store/catalog-types';
import type { PageBody } from '../pages/framed-page';
import type { Service } from '../pipeline/service';

export interface DescriptionContext {
  /** The address of the landing page. */
  readonly root: string;
  /** The address before `/ogc`. */
  readonly base: string;
  readonly format: ItemFormat;
  readonly state: CatalogState;
  readonly service: Service;
}

export interface Description {
  /** The media type of the document. Defaults to JSON. */
  readonly type?: string;
  readonly document: object;
  /** Renders the same content as an HTML page. */
  readonly page: () => PageBody;
}

export type Describe = (context: DescriptionContext) => Description | Promise<Description>;

export const STANDARD = 'OGC API - Features';
