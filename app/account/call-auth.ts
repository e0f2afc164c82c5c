/** Failure of a sign-in page's request, worded for the visitor. */
export class AuthProblem extends Error {
  /** Code of the server; none where it cannot be reached. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

const WORDS: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD:
    'The e-mail address or the password is wrong, or the address is not verified yet.',
  INVALID_EMAIL: 'This is not an e-mail address.',
  INVALID_PASSWORD: 'The current password is wrong.',
  PASSWORD_TOO_SHORT: 'Choose a password of at least 10 characters.',
  PASSWORD_TOO_LONG: 'Choose a password of at most 128 characters.',
  INVALID_TOKEN: 'This link has been used or is too old. Ask for a new one.',
  SESSION_NOT_FRESH: 'Sign in again to change this: your last sign-in was over an hour ago.',
};

/**
 * Calls a path below `/api/auth`.
 * @param body sent as JSON by POST; GET without one
 * @throws AuthProblem with a sentence for the visitor
 */
export async function callAuth<T>(path: string, body?: object): Promise<T> {
  const request = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(`/api/auth${path}`, request).catch(() => null);
  if (!response) throw new AuthProblem('The server cannot be reached. Check your connection and try again.');
  const result = (await response.json().catch(() => null)) as { code?: string; message?: string } | null;
  if (response.ok) return result as T;
  if (response.status === 429) {
    throw new AuthProblem(
      `Too many attempts. Try again in ${response.headers.get('retry-after') ?? 60} seconds.`,
    );
  }
  const { code, message = 'The server failed. Try again.' } = result ?? {};
  throw new AuthProblem(WORDS[code ?? ''] ?? message, code);
}
