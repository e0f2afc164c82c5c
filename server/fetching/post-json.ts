import { request } from 'undici';
import type { Reach } from './addresses.ts';
import { asBadRequest, networkFault } from './fetch-fault.ts';
import { parseHttpUrl } from './http-url.ts';
import { createSafeAgent } from './safe-agent.ts';

export interface PostJsonOptions extends Reach {
  /** Sent byte for byte. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For all of it. */
  readonly timeoutMs: number;
}

/**
 * Posts JSON to a user's URL under the same address rules as {@link download}. Redirects are not followed, the answer's
 * body is not read.
 * @throws OperationError `bad_request` when no answer came
 */
export async function postJson(url: string, options: PostJsonOptions): Promise<{ status: number }> {
  const { body, headers, timeoutMs } = options;
  const agent = createSafeAgent(options, { connectMs: timeoutMs, headersMs: timeoutMs, stallMs: timeoutMs });
  try {
    const response = await request(parseHttpUrl(url), {
      method: 'POST',
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'darkroom/1.0' },
      body,
    });
    response.body.on('error', () => {}).destroy();
    return { status: response.statusCode };
  } catch (error) {
    throw asBadRequest(networkFault(error));
  } finally {
    await agent.destroy();
  }
}
