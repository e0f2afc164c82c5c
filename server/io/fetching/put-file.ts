import type { Readable } from 'node:stream';
import { discardStream } from '../../base/discard-stream.ts';
import { createTimeoutSignal } from '../../base/timeout-signal.ts';
import type { AddressRules } from './address-rules.ts';
import { asBadRequest, networkFault } from './fetch-fault.ts';
import { parseHttpUrl } from './http-url.ts';
import { sendRequest } from './send-request.ts';

const CONNECT_MS = 10_000;

export interface PutFileOptions extends AddressRules {
  /** Sent byte for byte, and destroyed in the end. */
  readonly body: Readable;
  readonly bytes: number;
  readonly mediaType: string;
  /** Limit for the whole call. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Puts a file to a user's URL under the same address rules as {@link download}. Follows no redirect.
 * @returns the status of the response
 * @throws OperationError `bad_request` without a response; the signal's reason once aborted
 */
export async function putFile(url: string, options: PutFileOptions): Promise<number> {
  const { body, bytes, mediaType, timeoutMs } = options;
  const signal = createTimeoutSignal(timeoutMs, options.signal);
  const timeouts = { connectMs: CONNECT_MS, headersMs: timeoutMs, stallMs: timeoutMs };
  const headers = {
    'content-type': mediaType,
    'content-length': String(bytes),
    'user-agent': 'darkroom/1.0',
  };
  try {
    const outgoing = { method: 'PUT', headers, body } as const;
    const response = await sendRequest(parseHttpUrl(url), outgoing, { reach: options, timeouts, signal });
    discardStream(response);
    return response.statusCode ?? 0;
  } catch (error) {
    options.signal.throwIfAborted();
    throw asBadRequest(networkFault(signal.aborted ? signal.reason : error));
  } finally {
    body.destroy();
  }
}
