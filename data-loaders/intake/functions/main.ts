// The second entry that package.json names, beside functions/main.ts: importing a function registers it on the platform. The
// local host takes the list.

import { janitorFunction } from './janitor';
import { takeInFunction } from './take-in';

export const timerFunctions = [takeInFunction, janitorFunction];
