'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTrpc } from '../parts/trpc-client.tsx';

/** Creates keys, and updates every list of them. */
export function useCreateKey(onMade: (apiKey: string) => void) {
  const calls = useTrpc();
  const queries = useQueryClient();
  return useMutation(
    calls.keys.create.mutationOptions({
      onSuccess: ({ apiKey }) => {
        onMade(apiKey);
        void queries.invalidateQueries();
      },
    }),
  );
}
