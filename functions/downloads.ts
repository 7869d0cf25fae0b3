import { keyHolderFunction } from '../shared/http/access';
import { answerDownloads, downloadFileFunction } from '../shared/http/catalog/downloads';
import { dcatCatalog } from '../shared/http/pages/dcat-catalog';
import { downloadsPage } from '../shared/http/pages/downloads-page';
import { openFunction } from '../shared/http/respond';
import { downloads } from '../shared/query/operations';

export const downloadsFunction = keyHolderFunction(downloads, answerDownloads);

export const downloadFilesFunction = downloadFileFunction('DownloadFiles');

export const downloadsPageFunction = openFunction('DownloadsPage', 'downloads', downloadsPage);

export const dcatCatalogFunction = openFunction('DcatCatalog', 'data.json', dcatCatalog);
