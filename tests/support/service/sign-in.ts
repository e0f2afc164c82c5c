import { createHmac } from 'node:crypto';
import { handleAuth, handleSession } from '../../../server/api/account/auth-routes.ts';
import { getAuth, setPassword } from '../../../server/identity/auth/index.ts';
import type { TestApi } from './api.ts';
import { CHEAP_HASHER } from './cheap-hasher.ts';

export const PASSWORD = 'correct horse battery';

/** Browser that remembers cookies and sends what a page of ours sends. */
export class TestBrowser {
  readonly #api: Pick<TestApi, 'ctx'>;
  readonly cookies = new Map<string, string>();
  readonly address: string;

  constructor(api: Pick<TestApi, 'ctx'>, address = '203.0.113.1') {
    this.#api = api;
    this.address = address;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  headers(more: Record<string, string> = {}): Headers {
    return new Headers({
      'x-client-address': this.address,
      'sec-fetch-site': 'same-origin',
      origin: this.#api.ctx.env.PUBLIC_URL,
      'content-type': 'application/json',
      ...(this.cookie && { cookie: this.cookie }),
      ...more,
    });
  }

  async post(path: string, body: unknown, more: Record<string, string> = {}) {
    return await this.#send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: this.headers(more),
    });
  }

  async get(path: string) {
    return await this.#send(path, { headers: this.headers() });
  }

  async session() {
    const request = new Request(`${this.#api.ctx.env.PUBLIC_URL}/api/session`, { headers: this.headers() });
    return await (await handleSession(this.#api.ctx, request)).json();
  }

  signUp(email: string, password = PASSWORD, more: object = {}) {
    return this.post('/sign-up/email', { email, password, name: 'Ada', ...more });
  }

  signIn(email: string, password = PASSWORD) {
    return this.post('/sign-in/email', { email, password });
  }

  async #send(path: string, init: RequestInit) {
    const response = await handleAuth(
      this.#api.ctx,
      new Request(`${this.#api.ctx.env.PUBLIC_URL}/api/auth${path}`, init),
    );
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (value === '' || /Max-Age=0/i.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  }
}

/** Returns a browser in which the user of an account is signed in. */
export async function openSignedInBrowser(
  api: Pick<TestApi, 'ctx'>,
  { accountId, email }: { accountId: string; email: string },
): Promise<TestBrowser> {
  const browser = new TestBrowser(api);
  await setPassword(api.ctx.db, { accountId, email, password: PASSWORD }, CHEAP_HASHER);
  const { status } = await browser.signIn(email);
  if (status !== 200) throw new Error(`the sign-in got ${status}`);
  return browser;
}

/** Returns a browser in which a person is signed in, without the time that the hash of a password takes. */
export async function openSession(api: Pick<TestApi, 'ctx'>, userId: string): Promise<TestBrowser> {
  const { internalAdapter, secret, authCookies } = await (await getAuth(api.ctx)).$context;
  const { token } = await internalAdapter.createSession(userId);
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  const browser = new TestBrowser(api);
  browser.cookies.set(authCookies.sessionToken.name, encodeURIComponent(`${token}.${signature}`));
  return browser;
}

function parse(text: string): ReturnType<JSON['parse']> {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
