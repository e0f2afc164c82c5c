import type { Tool } from '../studio/tools/tool.ts';
import { TOOL_LIST } from '../studio/tools/tools.ts';

/** Scripts and programs from this size on are cached for the tools that use them, not for all. */
const LARGE_BYTES_MIN = 1_000_000;

/** The bundler names a package's program or model after its file, and a script chunk by its content alone. */
const CHUNK = '/_next/static/chunks/';

const NAMED = new Set(TOOL_LIST.flatMap(({ largeFiles = [] }) => largeFiles));

/** Reports whether a tool may load a static file. Small scripts are shared: every tool may. */
export function mayLoad({ largeFiles = [] }: Tool, url: string, bytes: number): boolean {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const isNamed = [...NAMED].some((start) => name.startsWith(start));
  if (isNamed) return largeFiles.some((start) => name.startsWith(start));
  // The only large chunk is the decoder of HEIC, for the tools that read images.
  return bytes < LARGE_BYTES_MIN || url.startsWith(CHUNK);
}
