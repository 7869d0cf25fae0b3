// What can be downloaded as a whole: the list and its files, the page about them, the catalog for harvesters, and the
// feed of what was published.

import { httpFunction } from '../shared/http/pipeline/pipeline';
import { downloads } from '../shared/query/operations';

export const downloadsFunction = httpFunction(downloads.name, downloads.route, () => {
  return import('../shared/http/v1/downloads.js').then(({ downloadsRoute }) => downloadsRoute);
});

export const downloadFilesFunction = httpFunction('DownloadFiles', `${downloads.route}/{*path}`, (request, service) => {
  return import('../shared/http/v1/downloads.js').then(({ findDownloadRoute }) => findDownloadRoute(request, service));
});

export const downloadsPageFunction = httpFunction('DownloadsPage', 'downloads', () => {
  return import('../shared/http/pages/downloads-page.js').then(({ downloadsPage }) => {
    return { access: 'open', answer: downloadsPage };
  });
});

export const dcatCatalogFunction = httpFunction('DcatCatalog', 'data.json', () => {
  return import('../shared/http/pages/dcat-catalog.js').then(({ dcatCatalog }) => {
    return { access: 'open', answer: dcatCatalog };
  });
});

export const releaseFeedFunction = httpFunction('ReleaseFeed', 'releases.atom', () => {
  return import('../shared/http/pages/release-feed.js').then(({ releaseFeed }) => {
    return { access: 'open', answer: releaseFeed };
  });
});
