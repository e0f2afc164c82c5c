'use client';

import { useEffect, useState } from 'react';
import { formatUsd } from '../../../models/money.ts';
import type { OperationId } from '../../../models/registry.ts';
import type { BatchItem } from './batch.ts';

/** What some files cost on the server. Those that it would refuse are not among them: they are never sent. */
export interface Price {
  readonly sentBytes: number;
  /** Decimal, in US dollars. */
  readonly usd: string;
}

/** The price by the operation's own quote, which is the one the server charges by; undefined while it is worked out. */
export function usePrice(
  operationId: OperationId,
  items: readonly BatchItem[],
  paramsFor: (file: File) => object,
): Price | undefined {
  const [known, setKnown] = useState<{ key: string; price: Price }>();
  const key = JSON.stringify(items.map(({ id, file }) => [id, paramsFor(file)]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key holds all that the price depends on
  useEffect(() => {
    if (items.length === 0) return;
    let isWanted = true;
    priceOf(operationId, items, paramsFor).then((price) => isWanted && setKnown({ key, price }));
    return () => {
      isWanted = false;
    };
  }, [key, operationId]);
  return known?.key === key && items.length > 0 ? known.price : undefined;
}

/** The definitions are loaded when a price is asked for, so that no page carries them before. */
async function priceOf(
  operationId: OperationId,
  items: readonly BatchItem[],
  paramsFor: (file: File) => object,
): Promise<Price> {
  const { OPERATIONS } = await import('../../../models/registry.ts');
  let sentBytes = 0;
  let total = 0n;
  for (const { file } of items) {
    const quote = await OPERATIONS[operationId].quote(file, paramsFor(file)).catch(() => null);
    if (quote === null) continue;
    sentBytes += file.size;
    total += quote.price;
  }
  return { sentBytes, usd: formatUsd(total) };
}
