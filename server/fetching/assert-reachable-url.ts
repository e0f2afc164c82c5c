import { type Resolve, reachableAddresses } from './addresses.ts';
import { asBadRequest } from './fetch-fault.ts';
import { parseHttpUrl } from './http-url.ts';

/**
 * Checks scheme, credentials and addresses of a URL that is to be called later. Each later connection checks again.
 * @throws OperationError `bad_request` saying what is wrong, for the caller to put the field in front
 */
export async function assertReachableUrl(
  url: string,
  allowNetworks: readonly string[],
  resolve?: Resolve,
): Promise<void> {
  try {
    await reachableAddresses(parseHttpUrl(url).hostname, { allowNetworks, resolve });
  } catch (error) {
    throw asBadRequest(error);
  }
}
