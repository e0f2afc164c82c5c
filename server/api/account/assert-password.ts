import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { getAuth } from '../../identity/auth/index.ts';
import { addressBucket, CLIENT_ADDRESS, clientNetwork } from '../transport/client-address.ts';
import { assertRate, type BucketRate, createBucketId } from '../transport/rate-limit.ts';

/** Requests of one network: a person who mistypes has enough, a list of passwords takes years. */
const ADDRESS_RATE: BucketRate = { counts: 'sign-ins from this address', perSecond: 0.2, burst: 30 };

/** Attempts of one network at one account. */
const PAIR_RATE: BucketRate = {
  counts: 'sign-ins to this account from this address',
  perSecond: 1 / 30,
  burst: 10,
};

/** Attempts at one account, from wherever they come. Wide: an attacker who uses them up keeps its owner out. */
const ACCOUNT_RATE: BucketRate = { counts: 'sign-ins to this account', perSecond: 1 / 20, burst: 100 };

/** Mails of one kind to one address. */
const MAIL_RATE: BucketRate = { counts: 'mails to this address', perSecond: 1 / 300, burst: 5 };

/**
 * Checks the password of who is signed in, as one more attempt at a sign-in.
 * @throws OperationError `bad_request` when it is wrong, `too_many_requests`
 */
export async function assertPassword(
  ctx: Context,
  request: Pick<Request, 'headers'>,
  { email, password }: { email: string; password: unknown },
): Promise<void> {
  await countSignInAttempt(ctx, request, email);
  const auth = await getAuth(ctx);
  const body = { password: typeof password === 'string' ? password : '' };
  await auth.api.verifyPassword({ body, headers: request.headers }).catch(() => {
    throw new OperationError('bad_request', 'password: is wrong.');
  });
}

/**
 * Counts an attempt to guess a password, or what a stranger could do as often.
 * @param email account that it is about, if any
 * @throws OperationError `too_many_requests`
 */
export async function countSignInAttempt(
  ctx: Context,
  request: Pick<Request, 'headers'>,
  email?: string,
): Promise<void> {
  await assertRate(ctx, addressBucket('sign-in', request), ADDRESS_RATE);
  if (email === undefined) return;
  const network = clientNetwork(request.headers.get(CLIENT_ADDRESS) ?? '');
  await assertRate(ctx, createBucketId('sign-in', `${email} ${network}`), PAIR_RATE);
  await assertRate(ctx, createBucketId('sign-in', email), ACCOUNT_RATE);
}

/**
 * Counts a mail that a stranger can have sent to an address.
 * @param kind what the mail is about
 * @throws OperationError `too_many_requests`
 */
export async function countMail(ctx: Context, kind: string, email: string): Promise<void> {
  await assertRate(ctx, createBucketId(`mail ${kind}`, email), MAIL_RATE);
}
