// The entry of the packaged app: all that the pattern `main` of package.json finds.

import '../../functions/main';
import '../../data-loaders/intake/functions/main';
