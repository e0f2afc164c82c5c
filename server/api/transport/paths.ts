/** Path of the files of ffmpeg.wasm, which is GPL as a whole, in the build's folder of static files. */
const GPL_PATH = /^\/+_next\/+static\/.*ffmpeg-core/is;

/** Path of the Model Context Protocol, next to `/api`. */
export const MCP_PATH = '/mcp';

/** Paths of `app/api`, which pages alone call: Next serves them, and loads what they need with the first request. */
const PAGES_OWN = /^\/api\/(auth|own|session|trpc)([/?]|$)/;

/** Reports whether a path lies below `/api` of programs, with any number of slashes before it. */
export function isProgramsPath(path: string): boolean {
  return /^\/+api\//.test(path) && !PAGES_OWN.test(path);
}

/** Reports whether a request is for a GPL file of the pages' build. A path that cannot be decoded counts as one. */
export function isGplFilePath(url: string): boolean {
  const [path = ''] = url.split(/[?#]/, 1);
  try {
    return GPL_PATH.test(decodeURIComponent(new URL(`http://localhost${path}`).pathname));
  } catch {
    return true;
  }
}

/**
 * Returns a path for a log, without what gives access: a reader of the URL for the parts of an upload could send them.
 */
export function redactPath(path: string): string {
  return path.replace(/(\/v2\/+uploads\/+).+/, '$1[redacted]');
}
