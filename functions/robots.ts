import { robotsFile } from '../shared/http/pages/sitemap';
import { httpFunction } from '../shared/http/pipeline/pipeline';

export const robotsFunction = httpFunction('Robots', 'robots.txt', { access: 'open', answer: robotsFile });
