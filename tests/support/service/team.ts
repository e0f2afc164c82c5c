import { handleCalls } from '../../../server/api/trpc/handle-calls.ts';
import type { CallInputs } from '../../../server/api/trpc/router.ts';
import { schema } from '../../../server/base/database/db.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { topUp } from '../../../server/money/wallet/index.ts';
import type { MailLog } from '../servers/mail-log.ts';
import type { TestApi } from './api.ts';
import { openSession, type TestBrowser } from './sign-in.ts';

type Role = CallInputs['team']['invite']['role'];

/** Call's response: its result, or the code and message of its refusal. */
export interface CallAnswer {
  readonly status: number;
  readonly data: ReturnType<JSON['parse']>;
  readonly code?: string;
  readonly message?: string;
}

/** Sends a call of the dashboard over HTTP. */
export async function sendCall(
  { ctx }: Pick<TestApi, 'ctx'>,
  browser: TestBrowser,
  name: string,
  input?: object,
  headers: Record<string, string> = {},
): Promise<CallAnswer> {
  const url = new URL(`${ctx.env.PUBLIC_URL}/api/trpc/${name}`);
  const isQuery = /\.(list|accounts|activity|actors|me|summary|settings|ledger|secrets|deliveries)$/.test(
    name,
  );
  if (isQuery && input) url.searchParams.set('input', JSON.stringify(input));
  const init = isQuery ? {} : { method: 'POST', body: JSON.stringify(input ?? {}) };
  const request = new Request(url, { ...init, headers: browser.headers(headers) });
  const response = await handleCalls(ctx, request);
  const { result, error, message } = JSON.parse(await response.text());
  return {
    status: response.status,
    data: result?.data,
    code: error?.data?.code,
    message: error?.message ?? message,
  };
}

/** Invites an address by an owner's browser, and returns the token of the link that the mail holds. */
export async function inviteByMail(
  api: Pick<TestApi, 'ctx'>,
  mails: MailLog,
  owner: TestBrowser,
  { email, role }: { email: string; role: Role },
): Promise<string> {
  const { status, message } = await sendCall(api, owner, 'team.invite', { email, role });
  if (status !== 200) throw new Error(`the invitation got ${status}: ${message}`);
  return mails.linkFor(email.toLowerCase()).searchParams.get('token') ?? '';
}

/** Opens an account in which its person is signed in. */
async function openPerson(api: Pick<TestApi, 'ctx'>, email: string) {
  const { db } = api.ctx;
  const { accountId } = await openAccount(db, email);
  const [user] = await db
    .insert(schema.users)
    .values({ accountId, email, name: email, emailVerified: true })
    .returning({ userId: schema.users.id });
  const userId = user?.userId ?? '';
  return { accountId, userId, email, browser: await openSession(api, userId) };
}

/** Invites a new person, who accepts by the link. */
async function addMember(
  api: Pick<TestApi, 'ctx'>,
  mails: MailLog,
  owner: TestBrowser,
  member: { email: string; role: Role },
) {
  const person = await openPerson(api, member.email);
  const token = await inviteByMail(api, mails, owner, member);
  const { status, message } = await sendCall(api, person.browser, 'team.accept', { token });
  if (status !== 200) throw new Error(`the acceptance got ${status}: ${message}`);
  return person;
}

let made = 0;
/** Returns an address that is met once: attempts and mails are counted for each. */
export const newAddress = (name: string): string => `${name}-${++made}@example.com`;

/** Opens an account with 5 USD, in which its owner is signed in. */
export async function openOwnedTeam(api: Pick<TestApi, 'ctx'>, mails: MailLog) {
  const { browser: owner, ...ada } = await openPerson(api, newAddress('owner'));
  const { accountId, email } = ada;
  await topUp(api.ctx.db, { accountId, amount: 5_000_000n, idempotencyKey: email, reference: 'test' });
  const add = (role: Role) => addMember(api, mails, owner, { email: newAddress(role), role });
  return { ...ada, owner, add };
}
