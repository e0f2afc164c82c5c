import type { ServerResponse } from 'node:http';
import type { Logger } from '../../base/log.ts';
import { allowAnyOrigin } from '../origins/cross-origin.ts';
import { problemResponse } from './problem.ts';

/** Logs what a request handler threw and responds 500 in JSON; a response that has begun is cut off. */
export async function respondInternalError(
  thrown: unknown,
  response: ServerResponse,
  log: Logger,
): Promise<void> {
  const { status, headers, body } = allowAnyOrigin(problemResponse(thrown, { log }));
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, Object.fromEntries(headers)).end(await new Response(body).text());
}
