/**
 * Parts of the SDK of the Model Context Protocol that the command uses. The build bundles them into this module, so
 * that the package needs no other.
 */
export { Client } from '@modelcontextprotocol/sdk/client/index.js';
export {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
export { Server } from '@modelcontextprotocol/sdk/server/index.js';
export { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
export type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
export {
  CallToolRequestSchema,
  type CallToolResult,
  CallToolResultSchema,
  ListToolsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
