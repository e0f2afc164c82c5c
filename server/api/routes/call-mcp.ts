import { defineRoute } from '../route.ts';
import { MCP_PATH } from '../transport/paths.ts';

/** One message of the Model Context Protocol. */
export const callMcp = defineRoute({
  method: 'POST',
  path: MCP_PATH,
  audience: 'agents',
  authentication: 'bearer',
  permission: 'jobs.change',
  async handle({ ctx, request, actor, api }) {
    // Its packages are large, and only agents need them.
    const { handleMcp } = await import('../mcp/handle-mcp.ts');
    return await handleMcp(ctx, request, actor, api.handle);
  },
});
