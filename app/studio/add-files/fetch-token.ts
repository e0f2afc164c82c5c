import { callService } from '../failures/service-call.ts';

interface FetchToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** A token is renewed this long before it expires. */
const MARGIN_MS = 60_000;

let known: FetchToken | undefined;
let asked: Promise<FetchToken> | undefined;

/**
 * Returns the token that shows our server that a page of ours asks for a link. It works only with the cookie that comes
 * with it.
 * @param isFresh whether a token that is known already does not do
 * @throws OperationError with the server's reason, or `unavailable` when the server cannot be reached
 */
export async function readFetchToken({ isFresh = false } = {}): Promise<string> {
  if (known && !isFresh && known.expiresAtMs - MARGIN_MS > Date.now()) return known.token;
  // Shared by all callers: several requests at once would bring several cookies, and a token works with one.
  asked ??= requestToken().finally(() => {
    asked = undefined;
  });
  known = await asked;
  return known.token;
}

async function requestToken(): Promise<FetchToken> {
  const response = await callService(() => fetch('/api/fetch/token', { method: 'POST' }));
  const { token, expires_in_seconds } = (await response.json()) as {
    token: string;
    expires_in_seconds: number;
  };
  return { token, expiresAtMs: Date.now() + expires_in_seconds * 1000 };
}
