import { OperationError } from '../../../models/errors.ts';
import { callService } from './service-call.ts';

export interface Wallet {
  /** Decimal strings in US dollars. */
  readonly balanceUsd: string;
  readonly availableUsd: string;
}

/** Pattern of an API key. It also keeps a stray paste out of a header. */
const API_KEY = /^mk_[\w-]{8,}$/;

/**
 * Asks the server for the balance of the key's wallet; a response proves that the key works.
 * @throws OperationError `bad_request` when the text is no key, `unauthorized` with the server's reason, or
 *   `unavailable` when the server cannot be reached
 */
export async function readWallet(apiKey: string, signal: AbortSignal): Promise<Wallet> {
  if (!API_KEY.test(apiKey)) {
    throw new OperationError(
      'bad_request',
      'An API key starts with mk_ and has no spaces. Paste the whole key.',
    );
  }
  const request = { headers: { 'ocp-apim-subscription-key': apiKey }, signal };
  const response = await callService(() => fetch('/api/v2/wallet', request), signal, { attemptsMax: 1 });
  const { balance_usd, available_usd } = (await response.json()) as Record<string, string>;
  return { balanceUsd: balance_usd ?? '', availableUsd: available_usd ?? '' };
}
