import { clientDisconnected } from './problem.ts';

/**
 * Iterates over the chunks of a request's body. Stopping early does not close the connection, which still carries the
 * response.
 * @throws OperationError `cancelled` when the client leaves before the end
 */
export async function* iterateBody(
  request: Request,
  reader = request.body?.getReader(),
): AsyncGenerator<Uint8Array> {
  const read = () => reader?.read().catch((thrown) => Promise.reject(clientDisconnected(thrown)));
  for (let next = await read(); next && !next.done; next = await read()) yield next.value;
}
