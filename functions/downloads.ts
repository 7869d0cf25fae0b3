import { keyHolderFunction } from '../shared/http/access';
import { answerDownloads, downloadFileFunction } from '../shared/http/catalog/downloads';
import { downloads } from '../shared/query/operations';

export const downloadsFunction = keyHolderFunction(downloads, answerDownloads);

export const downloadFilesFunction = downloadFileFunction('DownloadFiles');
