import { withinTime } from '../within-time.ts';
import type { AddressRules } from './addresses.ts';
import { asBadRequest, networkFault } from './fetch-fault.ts';
import { parseHttpUrl } from './http-url.ts';
import { sendRequest } from './send-request.ts';

export interface PostJsonOptions extends AddressRules {
  /** Sent byte for byte. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Limit for the whole call. */
  readonly timeoutMs: number;
}

/**
 * Posts JSON to a user's URL under the same address rules as {@link download}. Follows no redirect and ignores the
 * response body.
 * @throws OperationError `bad_request` without a response
 */
export async function postJson(url: string, options: PostJsonOptions): Promise<{ status: number }> {
  const { body, headers, timeoutMs } = options;
  const signal = withinTime(timeoutMs);
  const timeouts = { connectMs: timeoutMs, headersMs: timeoutMs, stallMs: timeoutMs };
  try {
    const response = await sendRequest(
      parseHttpUrl(url),
      {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'darkroom/1.0' },
        body,
      },
      { reach: options, timeouts, signal },
    );
    response.on('error', () => {}).destroy();
    return { status: response.statusCode ?? 0 };
  } catch (error) {
    throw asBadRequest(networkFault(signal.aborted ? signal.reason : error));
  }
}
