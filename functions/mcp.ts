// The Model Context Protocol for assistants (D67): POST /mcp. Callers need a key, or use up the allowance for requests
// without a key.

import { httpFunction } from '../shared/http/pipeline/pipeline';

export const mcpFunction = httpFunction({
  name: 'Mcp',
  route: 'mcp/{*path}',
  routes: [
    {
      name: 'Mcp',
      path: 'mcp',
      // Loaded on demand, because the protocol's SDK takes longer to load than all other code together.
      route: () => import('../shared/http/assistants/mcp-route.js').then(({ mcpRoute }) => mcpRoute),
    },
  ],
});
