import { readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import Negotiator from 'negotiator';
import { getKeys } from '../../../models/core/records.ts';

/** Content codings of the stored files, best first, with their file extensions. */
export const CODINGS = { br: '.br', gzip: '.gz' } as const;

export type Coding = keyof typeof CODINGS;

const PREFERRED = getKeys(CODINGS);
const TEXT = 'charset=UTF-8';

/** Media types of files worth compressing, by extension. */
export const ENCODED_TYPES: Readonly<Record<string, string>> = {
  '.css': `text/css; ${TEXT}`,
  '.js': `application/javascript; ${TEXT}`,
  '.json': `application/json; ${TEXT}`,
  '.mjs': `application/javascript; ${TEXT}`,
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Path of the build's static files. */
export const STATIC_PATH = '/_next/static/';

/** Methods of static files. */
export const STATIC_METHODS: readonly string[] = ['GET', 'HEAD'];

/** A stored copy has its own validators, so a condition on the file's would fail or hold by chance. */
const CONDITIONS = ['if-match', 'if-unmodified-since'] as const;

/** The package's types are outdated: it supports the server's preference since version 1. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
}

/** Rewrites a request to the file in the client's preferred coding, for Next to send as any other. */
export type ChooseEncoding = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Reads which built files have compressed copies. Next sends them with its headers, validators and ranges; by itself
 * it would compress each file again for each client.
 * @param buildDir Next's build folder
 */
export function createEncodingChooser(buildDir: string): ChooseEncoding {
  const names = new Set(readdirSync(join(buildDir, 'static'), { recursive: true, encoding: 'utf8' }));
  return (request, response) => {
    const [path = ''] = request.url?.split('?', 1) ?? [];
    if (!path.startsWith(STATIC_PATH) || !STATIC_METHODS.includes(request.method ?? '')) return;
    for (const name of CONDITIONS) delete request.headers[name];
    const name = path.slice(STATIC_PATH.length);
    const codings = PREFERRED.filter((coding) => names.has(name + CODINGS[coding]));
    const coding = acceptedCodings(request, codings);
    // Keeps Next from compressing: what has no stored form is small, compressed already, or asked for in parts.
    request.headers['accept-encoding'] = 'identity';
    if (codings.length > 0) response.setHeader('vary', 'Accept-Encoding');
    if (!coding) return;
    response.setHeader('content-encoding', coding);
    response.setHeader('content-type', ENCODED_TYPES[extname(name)] ?? 'application/octet-stream');
    request.url = path + CODINGS[coding];
  };
}

/** Chooses a coding. A range counts the bytes of the file itself, so a range request gets identity. */
function acceptedCodings(request: IncomingMessage, codings: readonly Coding[]): Coding | undefined {
  if (request.headers.range !== undefined) return undefined;
  const negotiator: EncodingNegotiator = new Negotiator(request);
  const best = negotiator.encoding([...codings, 'identity'], { preferred: codings });
  return codings.find((coding) => coding === best);
}
