import { httpFunction } from '../shared/http/pipeline/pipeline';

export const ogcFunction = httpFunction('Ogc', 'ogc/{*path}', (request, service) => {
  return import('../shared/http/ogc/ogc-routes.js').then(({ findOgcRoute }) => findOgcRoute(request, service));
});
