import type { IncomingMessage, ServerResponse } from 'node:http';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import type { Logger } from '../../base/log.ts';
import { allowAnyOrigin } from './cross-origin.ts';
import { STATIC_METHODS, STATIC_PATH } from './negotiate-encoding.ts';
import { isGplFilePath, isProgramsPath, MCP_PATH, redactPath } from './paths.ts';
import { problemResponse } from './problem.ts';

/** Methods that Next passes on to routes; it responds to others without a body. */
export const API_METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Creates the error for an unknown path below /api. */
export function pathNotFound(path: string): OperationError {
  return new OperationError('not_found', `There is nothing at ${path}. GET /api/openapi.json lists what is.`);
}

/**
 * Responds in JSON to requests to which Next would respond with a page, a redirect or an empty 500.
 * @returns whether it has responded
 */
export function rejectInvalidRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { env, log }: Pick<Context, 'env' | 'log'>,
): boolean {
  try {
    assertValidTarget(request);
    if (!env.GPL_ENCODERS && isGplFilePath(request.url ?? '')) {
      throw new OperationError('not_found', 'This service leaves GPL encoders out.');
    }
    return false;
  } catch (thrown) {
    void refuse(request, response, problemResponse(thrown, { log }), log);
    return true;
  }
}

/**
 * Checks method and path.
 * @throws OperationError `method_not_allowed`, `bad_request` or `not_found`
 */
function assertValidTarget({ method = '', url = '' }: IncomingMessage): void {
  const methods = allowedMethods(url);
  if (!methods.includes(method)) {
    const hint = methods === API_METHODS ? '' : ' The API is below /api.';
    throw new OperationError('method_not_allowed', `${method}: use ${methods.join(', ')}.${hint}`);
  }
  const [path = ''] = url.split('?', 1);
  if (!path.startsWith('/')) throw new OperationError('bad_request', 'URL: must begin with a slash.');
  assertBuiltFile(path);
  if (!isBelowApi(path)) return;
  const segments = path.split('/').slice(2).map(decodeSegment);
  const invalid = segments.filter(isInvalid);
  // The API responds to a slash too many itself, so that the request stands in the log of its key.
  if (isProgramsPath(path) && invalid.every((segment) => segment === '')) return;
  if (!path.startsWith('/api/') || invalid.length > 0) throw pathNotFound(path);
}

/**
 * Rejects Next's own routes besides the static files, such as its image service: no page of ours uses them.
 * @throws OperationError `not_found`
 */
function assertBuiltFile(path: string): void {
  const { pathname } = new URL(`http://localhost${path}`);
  const isNext = [path, pathname].some((each) => /^[/\\]+_next([/\\]|$)/i.test(decodeOnce(each)));
  if (isNext && !pathname.startsWith(STATIC_PATH)) {
    throw new OperationError('not_found', `There is nothing at ${path}.`);
  }
}

/** Pages and static files are only read; Next would respond to a POST of a page with the page. */
function allowedMethods(url: string): readonly string[] {
  const [path = ''] = url.split('?', 1);
  return !path.startsWith('/') || path === MCP_PATH || isBelowApi(path) ? API_METHODS : STATIC_METHODS;
}

/**
 * Reports whether a path leads below /api. Next resolves dots and doubled slashes first, so both the raw and the
 * resolved path count, each with its first segment decoded.
 */
function isBelowApi(path: string): boolean {
  const { pathname } = new URL(`http://localhost${path}`);
  return [path, pathname].some((each) => /^[/\\]+api([/\\]|$)/i.test(decodeOnce(each)));
}

/** Reports whether a path is no page's: the API's, a result file's, or none at all. */
function isOpenPath(path: string): boolean {
  return !path.startsWith('/') || path.startsWith('/cdn/') || path === MCP_PATH || isBelowApi(path);
}

/** Decodes the first segment of a path, if that is possible. */
function decodeOnce(path: string): string {
  try {
    return path.replace(/^[/\\]+[^/\\]+/, decodeURIComponent);
  } catch {
    return path;
  }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new OperationError('bad_request', `URL: ${segment} is not valid percent-encoding.`, { cause });
  }
}

/** Reports an empty, dotted or slashed segment: none of our paths has one. */
function isInvalid(segment: string): boolean {
  return /^\.{0,2}$|[/\\]/.test(segment);
}

async function refuse(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  problem: Response,
  log: Logger,
): Promise<void> {
  const { status, headers } = problem;
  if (isOpenPath(url.split('?', 1)[0] ?? '')) allowAnyOrigin(problem);
  if (status === 405) headers.set('allow', allowedMethods(url).join(', '));
  log.info({ method, path: redactPath(url.split('?', 1)[0] ?? ''), status }, 'request');
  response.writeHead(status, Object.fromEntries(headers)).end(await problem.text());
}
