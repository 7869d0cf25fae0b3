// The files of current releases: GET or POST /v1/Downloads lists them, and GET /v1/Downloads/RELEASE/NAME returns one.
// Callers need a key, except for files with JSON-LD if the operator allows pages without a key (D57).

import { httpFunction } from '../shared/http/pipeline/pipeline';
import { downloadsRoute, findDownloadRoute } from '../shared/http/v1/downloads';
import { downloads } from '../shared/query/operations';

export const downloadsFunction = httpFunction({
  name: 'Downloads',
  route: 'v1/Downloads/{*path}',
  routes: [
    { name: downloads.name, path: downloads.route, route: downloadsRoute },
    { name: 'DownloadFiles', path: `${downloads.route}/{*path}`, route: findDownloadRoute },
  ],
});
