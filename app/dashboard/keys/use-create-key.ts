'use client';

import { useMutation } from '@tanstack/react-query';
import type { CallOutputs } from '../../../server/api/trpc/router.ts';
import { useTrpc } from '../parts/trpc-client.tsx';

/** A key and its id. The key itself cannot be fetched again. */
export type CreatedKey = CallOutputs['keys']['create'];

/** Creates keys. */
export function useCreateKey(onMade: (key: CreatedKey) => void) {
  const calls = useTrpc();
  return useMutation(calls.keys.create.mutationOptions({ onSuccess: (key) => onMade(key) }));
}
