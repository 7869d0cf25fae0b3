// The packaged app: what the pattern `main` of package.json finds, as one entry.

import '../../functions/main';
import '../../data-loaders/intake/functions/main';
