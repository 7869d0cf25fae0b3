import { findOgcRoute } from '../shared/http/ogc/ogc-routes';
import { httpFunction } from '../shared/http/pipeline/pipeline';

export const ogcFunction = httpFunction('Ogc', 'ogc/{*path}', findOgcRoute);
