import { openFunction } from '../shared/http/respond';
import { robotsFile } from '../shared/http/pages/sitemap';

export const robotsFunction = openFunction('Robots', 'robots.txt', robotsFile);
