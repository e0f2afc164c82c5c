import type { IncomingMessage } from 'node:http';
import { createTimeoutSignal } from '../../base/timeout-signal.ts';
import type { AddressRules } from './address-rules.ts';
import { asBadRequest, networkFault } from './fetch-fault.ts';
import { parseHttpUrl } from './http-url.ts';
import { sendRequest } from './send-request.ts';

/** Characters of a response that help to find a fault. */
const START_LENGTH = 2_000;
const START_MS = 1_000;

export interface PostJsonOptions extends AddressRules {
  /** Sent byte for byte. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Limit for the whole call. */
  readonly timeoutMs: number;
}

/**
 * Posts JSON to a user's URL under the same address rules as {@link download}. Follows no redirect.
 * @returns the status, and the start of the response's body as far as it arrives soon
 * @throws OperationError `bad_request` without a response
 */
export async function postJson(
  url: string,
  options: PostJsonOptions,
): Promise<{ status: number; start: string }> {
  const { body, headers, timeoutMs } = options;
  const signal = createTimeoutSignal(timeoutMs);
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
    return { status: response.statusCode ?? 0, start: await readStart(response) };
  } catch (error) {
    throw asBadRequest(networkFault(signal.aborted ? signal.reason : error));
  }
}

/** Reads the start of a body, then closes it. */
function readStart(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const end = () => {
      clearTimeout(timer);
      response.destroy();
      // PostgreSQL stores no NUL.
      resolve(text.slice(0, START_LENGTH).replaceAll('\0', '\ufffd'));
    };
    const timer = setTimeout(end, START_MS);
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (text.length >= START_LENGTH) end();
    });
    response.on('end', end).on('error', end).on('close', end);
  });
}
