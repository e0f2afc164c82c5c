'use client';

import {
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  useQueryClient,
} from '@tanstack/react-query';
import {
  createTRPCClient,
  httpBatchLink,
  httpSubscriptionLink,
  splitLink,
  TRPCClientError,
} from '@trpc/client';
import { createTRPCContext, useSubscription } from '@trpc/tanstack-react-query';
import { usePathname } from 'next/navigation';
import { type ReactNode, useRef, useState } from 'react';
import type { AppRouter } from '../../../server/api/trpc/router.ts';
import { nextPage, pathWithNext } from '../../account/next-page.ts';
import { reportBalanceChange } from '../../account/use-balance.ts';
import styles from './dashboard.module.css';

const URL = '/api/trpc';

/** For a call after which the page is left: who asks for more by then may be signed out. */
export const LEAVES_PAGE = { leavesPage: true } as const;

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
  const [isSignedOut, setSignedOut] = useState(false);
  const [queries] = useState(() => createQueries(() => setSignedOut(true)));
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
        {isSignedOut && <SignedOut />}
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

/** @param onSignedOut called when the server knows the visitor's session no more */
function createQueries(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => isForSignedIn(error) && onSignedOut();
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError,
      onSettled(_result, _error, _input, _context, { meta }) {
        // Any part of the page may show what a call has changed.
        if (!meta?.leavesPage) void queries.invalidateQueries();
      },
    }),
    defaultOptions: {
      // A click without network fails at once, as its problem says. It would wait unseen, and act much later.
      mutations: { networkMode: 'always' },
      queries: { retry: (failures, error) => failures < 2 && !isForSignedIn(error), staleTime: 5_000 },
    },
  });
  return queries;
}

/** Reports whether a call was refused since the visitor is not signed in. */
function isForSignedIn(error: Error): boolean {
  return error instanceof TRPCClientError && error.data?.code === 'UNAUTHORIZED';
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

/** Says on an open page why it shows nothing new, and what to do. */
function SignedOut() {
  const path = usePathname();
  return (
    <p role="alert" className={styles.low}>
      You are signed out. Your session has ended, or an owner has removed you from this account.{' '}
      {/* A whole load: nothing of the former session stays. */}
      <a href={pathWithNext('/sign-in', nextPage(path))}>Sign in</a> to see the accounts that you belong to.
    </p>
  );
}
