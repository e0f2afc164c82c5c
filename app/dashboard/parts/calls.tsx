'use client';

import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import { createTRPCContext, useSubscription } from '@trpc/tanstack-react-query';
import { type ReactNode, useState } from 'react';
import type { AppRouter } from '../../../server/trpc/router.ts';

const URL = '/api/trpc';

const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();

/** Gives access to the dashboard's calls. */
export const useCalls = useTRPC;

/** Lets everything below it call the server, and keeps what it shows live. */
export function Calls({ children }: { readonly children: ReactNode }) {
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
  const calls = useCalls();
  const queries = useQueryClient();
  useSubscription(
    calls.live.changes.subscriptionOptions(undefined, {
      onData: ({ changed }) => changed && void queries.invalidateQueries(),
    }),
  );
  return null;
}
