// The context of a description of the OGC API, and its two formats: a document and a page.

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
  /** The media type of the document; JSON by default. */
  readonly type?: string;
  readonly document: object;
  /** The same content as a page. */
  readonly page: () => PageBody;
}

export type Describe = (context: DescriptionContext) => Description | Promise<Description>;

export const STANDARD = 'OGC API - Features';
