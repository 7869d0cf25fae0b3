import { openFunction } from '../shared/http/respond';
import { robotsFile } from '../shared/http/things/robots';

export const robotsFunction = openFunction('Robots', 'robots.txt', robotsFile);
