import { httpFunction } from '../shared/http/pipeline/pipeline';
import { robotsFile } from '../shared/http/things/robots';

export const robotsFunction = httpFunction('Robots', 'robots.txt', { access: 'open', answer: robotsFile });
