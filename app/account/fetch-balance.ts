import { formatUsd } from '../../models/core/operation/money.ts';

/** Returns what the signed-in visitor's wallet can spend, in US dollars; undefined without a session or a network. */
export async function fetchAvailableUsd(signal: AbortSignal): Promise<string | undefined> {
  const response = await fetch('/api/session', { signal }).catch(() => null);
  if (!response?.ok) return undefined;
  const { available_micro_usd: micro } = (await response.json()) as { available_micro_usd?: string };
  return micro === undefined ? undefined : formatUsd(BigInt(micro));
}
