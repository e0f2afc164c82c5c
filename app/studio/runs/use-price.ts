'use client';

import { useSyncExternalStore } from 'react';
import { formatUsd, type MicroUsd } from '../../../models/core/operation/money.ts';
import type { RunnableId } from '../../../models/registry.ts';
import { useLoaded } from '../../ui/hooks.ts';
import type { BatchItem } from './batch.ts';
import { isUnavailable } from './read-fit.ts';
import { getServerFacts, serverFactsRevision } from './server-facts.ts';
import { useServerAmounts } from './server-prices.tsx';

/** Price of some files on the server. Files that the server would reject are excluded: they are never sent. */
export interface Price {
  readonly sentBytes: number;
  /** Decimal string in US dollars. */
  readonly usd: string;
  /** Ids of the files that the server would reject. */
  readonly refused: ReadonlySet<number>;
  /** Ids of the files whose price only the server can tell, once it has them. They are excluded, too. */
  readonly unknown: ReadonlySet<number>;
}

/**
 * Computes the price from the operation's own quote, which the server charges by; undefined until it is known, null
 * when that failed.
 */
export function usePrice(
  operationId: RunnableId,
  items: readonly BatchItem[],
  paramsFor: (file: File) => object,
): Price | null | undefined {
  const amounts = useServerAmounts(operationId);
  const { subscribe, get } = serverFactsRevision;
  const revision = useSyncExternalStore(subscribe, get, get);
  const key = JSON.stringify([operationId, revision, items.map(({ id, file }) => [id, paramsFor(file)])]);
  return useLoaded(items.length > 0 ? key : undefined, () =>
    // The definitions come over the network, which may be gone.
    getPrice(operationId, amounts, items, paramsFor).catch(() => null),
  );
}

/** Loads the operation definitions on first use, so that no page bundle contains them. */
async function getPrice(
  operationId: RunnableId,
  amounts: Readonly<Record<string, MicroUsd>>,
  items: readonly BatchItem[],
  paramsFor: (file: File) => object,
): Promise<Price> {
  const { loadOperations } = await import('../../../workers/operation/load-operations.ts');
  const operation = (await loadOperations())[operationId].priced(amounts);
  let sentBytes = 0;
  let total = 0n;
  const [refused, unknown] = [new Set<number>(), new Set<number>()];
  for (const { id, file } of items) {
    const facts = getServerFacts(file);
    const params = paramsFor(file);
    try {
      total += facts ? operation.price(facts, params) : (await operation.quote(file, params)).price;
      sentBytes += file.size;
    } catch (thrown) {
      (isUnavailable(thrown) ? unknown : refused).add(id);
    }
  }
  return { sentBytes, usd: formatUsd(total), refused, unknown };
}
