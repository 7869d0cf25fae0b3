// Assistants (D67): the Model Context Protocol at /mcp.

import { httpFunction } from '../shared/http/pipeline/pipeline';

export const mcpFunction = httpFunction('Mcp', 'mcp', () => {
  return import('../shared/http/assistants/mcp-route.js').then(({ mcpRoute }) => mcpRoute);
});
