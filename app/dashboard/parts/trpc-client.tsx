'use client';

import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import { createTRPCContext, useSubscription } from '@trpc/tanstack-react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { AppRouter } from '../../../server/trpc/router.ts';
import { reportBalanceChange } from '../../account/balance-changes.ts';

const URL = '/api/trpc';

const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();

/** Gives access to the dashboard's calls. */
export const useTrpc = useTRPC;

/** Lets everything below it call the server, and keeps what it shows live. */
export function TrpcProvider({ children }: { readonly children: ReactNode }) {
  const [queries] = useState(createQueries);
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        splitLink({
          condition: ({ type }) => type === 'subscription',
          true: httpSubscriptionLink({ url: URL }),
          false: httpBatchLink({ url: URL, maxItems: 10 }),
        }),
      ],
    }),
  );
  return (
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={client} queryClient={queries}>
        <Live />
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

function createQueries(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: 2, staleTime: 5_000 } } });
}

/** Asks again for all that the page shows as soon as something of the account has changed. */
function Live() {
  const calls = useTrpc();
  const queries = useQueryClient();
  const isKnown = useRef(false);
  useSubscription(
    calls.live.changes.subscriptionOptions(undefined, {
      onData: ({ changed }) => {
        // A later connection does not report what has changed since the one before.
        if (changed || isKnown.current) {
          void queries.invalidateQueries();
          reportBalanceChange();
        }
        isKnown.current = true;
      },
    }),
  );
  return null;
}
