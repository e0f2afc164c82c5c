import { type AddressRules, resolveAllowed } from './address-rules.ts';
import { asBadRequest } from './fetch-fault.ts';
import { type FetchOwner, fetchSemaphores } from './fetch-semaphores.ts';
import { parseHttpUrl } from './http-url.ts';

/**
 * Checks scheme, credentials and addresses of a URL that is called later, once it is the owner's turn. Each later
 * connection checks again.
 * @throws OperationError `bad_request` with the problem, for the caller to prefix with the field; `too_many_requests`
 *   when too many fetches of the owner wait already; the signal's reason once aborted
 */
export async function assertReachableUrl(url: string, options: AddressRules & FetchOwner): Promise<void> {
  let leave: (() => void) | undefined;
  try {
    const { hostname } = parseHttpUrl(url);
    leave = await fetchSemaphores.enter(options, hostname);
    await resolveAllowed(hostname, options, options.signal);
  } catch (error) {
    throw asBadRequest(error);
  } finally {
    leave?.();
  }
}
