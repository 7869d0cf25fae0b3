import { httpFunction } from '../shared/http/pipeline/pipeline';
import { findRoute } from '../shared/http/v1/find';
import { find } from '../shared/query/operations';

export const findFunction = httpFunction(find.name, find.route, findRoute);
