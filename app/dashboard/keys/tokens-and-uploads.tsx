'use client';

import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatMoment } from '../../ui/dates.ts';
import { formatBytes, formatName } from '../../ui/quantities.ts';
import styles from '../parts/dashboard.module.css';
import { modelName } from '../parts/format.ts';
import { LoadMore } from '../parts/list-controls.tsx';
import { usePermitted } from '../parts/permissions.tsx';
import { Problem } from '../parts/problem.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';

/** Tokens of the keys that work now, where there are any; each can be ended. */
export function Tokens() {
  const calls = useTrpc();
  const canChange = usePermitted('keys.change');
  const { data: tokens = [] } = useQuery(calls.keys.tokens.queryOptions());
  const end = useMutation(calls.keys.endToken.mutationOptions());
  if (tokens.length === 0) return null;
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">Tokens</h2>
      <p className="note">Pages and apps hold these in place of a key.</p>
      <ul className={styles.list}>
        {tokens.map(({ tokenId, keyName, operations, maxUsd, spentUsd, expiresAt }) => {
          const facts = [
            ...(operations ? [operations.map(modelName).join(', ')] : []),
            `$${spentUsd} of $${maxUsd}`,
            `until ${formatMoment(expiresAt)}`,
          ];
          return (
            <Entry key={tokenId} title={`Of ${keyName}`} facts={facts}>
              {canChange && (
                <button
                  type="button"
                  className="button"
                  disabled={end.isPending}
                  onClick={() => end.mutate({ tokenId })}
                >
                  End token<span className="sr-only"> of {keyName}</span>
                </button>
              )}
            </Entry>
          );
        })}
      </ul>
      <Problem error={end.error} />
    </section>
  );
}

/** Uploads that wait for requests, where there are any; each can be deleted. */
export function Uploads() {
  const calls = useTrpc();
  const canChange = usePermitted('jobs.change');
  const list = useInfiniteQuery(
    calls.jobs.uploads.infiniteQueryOptions({}, { getNextPageParam: ({ next }) => next }),
  );
  const uploads = list.data?.pages.flatMap((page) => page.uploads) ?? [];
  const remove = useMutation(calls.jobs.deleteUpload.mutationOptions());
  if (uploads.length === 0) return null;
  return (
    <section aria-labelledby="uploads">
      <h2 id="uploads">Uploads</h2>
      <p className="note">Files for requests, until they expire.</p>
      <ul className={styles.list}>
        {uploads.map(({ uploadId, name, bytes, mediaType, isComplete, expiresAt }) => {
          const title = name ?? 'Without a name';
          const facts = [
            ...(mediaType === null ? [] : [formatName(mediaType)]),
            `${formatBytes(bytes)}${isComplete ? '' : ', still arriving'}`,
            `until ${formatMoment(expiresAt)}`,
          ];
          return (
            <Entry key={uploadId} title={title} facts={facts}>
              {canChange && (
                <button
                  type="button"
                  className="button"
                  disabled={remove.isPending}
                  onClick={() => remove.mutate({ uploadId })}
                >
                  Delete<span className="sr-only"> {title}</span>
                </button>
              )}
            </Entry>
          );
        })}
      </ul>
      <Problem error={remove.error} />
      <LoadMore list={list} isEmpty={false} empty="" />
    </section>
  );
}

interface EntryProps {
  readonly title: string;
  readonly facts: readonly string[];
  readonly children: ReactNode;
}

function Entry({ title, facts, children }: EntryProps) {
  return (
    <li>
      <div className={styles.line}>
        <p>
          <b>{title}</b>
        </p>
        {children}
      </div>
      <p className="note">{facts.join(' · ')}</p>
    </li>
  );
}
