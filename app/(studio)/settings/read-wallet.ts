import { OperationError } from '../../../models/errors.ts';
import { callService } from '../service-call.ts';

export interface Wallet {
  /** Decimal strings in US dollars. */
  readonly balanceUsd: string;
  readonly availableUsd: string;
}

/** Also what keeps a stray paste out of a header. */
const API_KEY = /^mk_[\w-]{8,}$/;

/**
 * Asks the server what the key's wallet holds: a key that gets an answer is good.
 * @throws OperationError `bad_request` when it is no key at all, `unauthorized` with the server's reason, or
 *   `unavailable` when the server is not reached
 */
export async function readWallet(apiKey: string, signal: AbortSignal): Promise<Wallet> {
  if (!API_KEY.test(apiKey)) {
    throw new OperationError('bad_request', 'A key begins with mk_ and has no spaces. Paste all of it.');
  }
  const request = { headers: { 'ocp-apim-subscription-key': apiKey }, signal };
  const response = await callService(() => fetch('/api/v2/wallet', request), signal, { attemptsMax: 1 });
  const { balance_usd, available_usd } = (await response.json()) as Record<string, string>;
  return { balanceUsd: balance_usd ?? '', availableUsd: available_usd ?? '' };
}
