/** Path of the Model Context Protocol, next to `/api`. */
export const MCP_PATH = '/mcp';

/** Paths of `app/api`, which pages alone call: Next serves them, and loads what they need with the first request. */
const PAGES_OWN = /^\/api\/(auth|own|session|trpc)([/?]|$)/;

/** Reports whether a path lies below `/api` of programs, with any number of slashes before it. */
export function isProgramsPath(path: string): boolean {
  return /^\/+api\//.test(path) && !PAGES_OWN.test(path);
}
