// What can be downloaded as a whole: the list and its files, the page about them, and the catalog for harvesters.

import { dcatCatalog } from '../shared/http/pages/dcat-catalog';
import { downloadsPage } from '../shared/http/pages/downloads-page';
import { httpFunction } from '../shared/http/pipeline/pipeline';
import { downloadsRoute, findDownloadRoute } from '../shared/http/v1/downloads';
import { downloads } from '../shared/query/operations';

export const downloadsFunction = httpFunction(downloads.name, downloads.route, downloadsRoute);

export const downloadFilesFunction = httpFunction('DownloadFiles', `${downloads.route}/{*path}`, findDownloadRoute);

export const downloadsPageFunction = httpFunction('DownloadsPage', 'downloads', {
  access: 'open',
  answer: downloadsPage,
});

export const dcatCatalogFunction = httpFunction('DcatCatalog', 'data.json', { access: 'open', answer: dcatCatalog });
