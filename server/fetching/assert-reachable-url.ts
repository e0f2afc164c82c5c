import { type Reach, type Resolve, reachableAddresses } from './addresses.ts';
import { asBadRequest } from './fetch-fault.ts';
import { parseHttpUrl } from './http-url.ts';

/**
 * Checks scheme, credentials and addresses of a URL that is to be called later. Each later connection checks again.
 * @param options.field the request field or header that the message names
 * @throws OperationError `bad_request`
 */
export async function assertReachableUrl(
  url: string,
  allowNetworks: readonly string[],
  options: { field?: string; resolve?: Resolve } = {},
): Promise<void> {
  try {
    const reach: Reach = { allowNetworks, resolve: options.resolve };
    await reachableAddresses(parseHttpUrl(url).hostname, reach);
  } catch (error) {
    throw asBadRequest(error, options.field ?? 'url');
  }
}
