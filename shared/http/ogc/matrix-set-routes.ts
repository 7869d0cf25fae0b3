// The routes of the tile grid, which is the same for all collections.

import { MATRIX_SET } from '../../tiles/tile-grid';
import { documentRoute } from '../pipeline/document-route';
import { readPathSegments } from '../pipeline/pipeline';
import type { Route } from '../pipeline/route';
import type { HttpRequest } from '../pipeline/service';
import { getBaseUrl, JSON_TYPE } from './addresses';
import { describeMatrixSet, describeMatrixSetList, MATRIX_SETS_PATH } from './matrix-sets';

export function findMatrixSetRoute({ url }: HttpRequest): Route | undefined {
  const [name, ...extraSegments] = readPathSegments(MATRIX_SETS_PATH.split('/').length, url);
  if (extraSegments.length > 0 || (name ?? MATRIX_SET) !== MATRIX_SET) return undefined;
  return createGridRoute(name === undefined ? describeMatrixSetList : describeMatrixSet);
}

/** Ignores all parameters. */
function createGridRoute(describe: (base: string) => object): Route {
  return documentRoute({
    access: 'open',
    vary: 'Accept-Encoding',
    read: (request, _, service) => ({
      kind: 'read',
      query: { base: getBaseUrl(request, service), dataVersion: undefined },
    }),
    write: ({ base }) => {
      return Promise.resolve({ body: JSON.stringify(describe(base)), contentType: JSON_TYPE, count: 0, entries: [] });
    },
  });
}
