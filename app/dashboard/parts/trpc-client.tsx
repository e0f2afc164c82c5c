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

interface TrpcProviderProps {
  /** State of the account before the page asked for anything. */
  readonly accountState: string | null;
  readonly children: ReactNode;
}

/** Lets everything below it call the server, and keeps what it shows live. */
export function TrpcProvider({ accountState, children }: TrpcProviderProps) {
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
        <Live accountState={accountState} />
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

function createQueries(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: 2, staleTime: 5_000 } } });
}

/** Asks again for all that the page shows as soon as something of the account has changed. */
function Live({ accountState }: Pick<TrpcProviderProps, 'accountState'>) {
  const calls = useTrpc();
  const queries = useQueryClient();
  const known = useRef(accountState);
  useSubscription(
    calls.live.states.subscriptionOptions(undefined, {
      onData: ({ state }) => {
        if (state === known.current) return;
        known.current = state;
        void queries.invalidateQueries();
        reportBalanceChange();
      },
    }),
  );
  return null;
}
