// Writes the page of a feature: reads its details, renders the page, and frames it.

import type { CatalogState } from '../../../store/catalog-types';
import type { Service } from '../../pipeline/service';
import { framePageWithJsonLd, type WrittenDocument } from '../framed-page';
import { getPageAddresses } from '../page-files';
import type { FeatureMatch } from './feature-match';
import type { FeaturePageContext } from './feature-page-context';
import { readPlaceDetails } from './place-details';
import { renderPlacePage } from './place-page';
import { readRightDetails } from './right-details';
import { renderRightPage } from './right-page';
import { getStateOutlines } from './state-outlines';

interface RenderedFeature extends Pick<FeaturePageContext, 'feature' | 'address' | 'id' | 'statement'> {
  /** The feature as JSON-LD, for the head of the page. */
  readonly jsonLd: object;
  /** Whether the feature is a right. The release does not tell, because a site may come from a release of rights. */
  readonly isRight: boolean;
}

export async function renderFeatureDocument(
  match: FeatureMatch,
  { jsonLd, isRight, ...feature }: RenderedFeature,
  state: CatalogState,
  service: Service,
): Promise<WrittenDocument> {
  const context: FeaturePageContext = {
    ...feature,
    version: state.version,
    base: getPageAddresses(service).base,
    states: getStateOutlines(service.caches),
  };
  const page = isRight
    ? renderRightPage(await readRightDetails(match, state, service), context)
    : renderPlacePage(await readPlaceDetails(match, state, service), context);
  return framePageWithJsonLd(page, feature.address, jsonLd, service);
}
