'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { getKeys } from '../../../models/core/records.ts';
import type { CallInputs, CallOutputs } from '../../../server/api/trpc/router.ts';
import { formatDateAndTime } from '../../ui/dates.ts';
import { formatCount } from '../../ui/quantities.ts';
import styles from '../parts/dashboard.module.css';
import formStyles from '../parts/form.module.css';
import { modelName, timesOfDay } from '../parts/format.ts';
import { LoadMore, SearchField, Select } from '../parts/list-controls.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';
import { formatMs, getTone, SIGNED_IN } from './request-detail.tsx';
import requestStyles from './requests.module.css';

const NAMES = ['status', 'method', 'day', 'search'] as const;

/** Filters of the log, each an empty text where it leaves nothing out. */
type Filters = Readonly<Record<(typeof NAMES)[number], string>>;

type LoggedRequest = CallOutputs['requests']['list']['requests'][number];

type Query = NonNullable<CallInputs['requests']['list']>;

const STATUSES: Readonly<Record<NonNullable<Query['statusClass']> | '', string>> = {
  '': 'All statuses',
  '2xx': 'Succeeded (2xx)',
  '4xx': 'Refused (4xx)',
  '5xx': 'Failed here (5xx)',
};

const METHODS = {
  '': 'All methods',
  POST: 'POST',
  GET: 'GET',
  DELETE: 'DELETE',
  HEAD: 'HEAD',
  PATCH: 'PATCH',
} as const;

/** Pause between two looks for new requests. */
const LOOK_EVERY_MS = 5_000;

const EMPTY = 'No requests yet.';

const NOT_FOUND = 'No request matches.';

/** The log of the account's requests to the API, newest first. */
export function Requests({ keptDays }: { readonly keptDays: number }) {
  const calls = useTrpc();
  const [filters, change] = useFilters();
  const list = useInfiniteQuery(
    calls.requests.list.infiniteQueryOptions(getQuery(filters), {
      getNextPageParam: ({ next }) => next,
      // A visitor who reads older ones keeps the place.
      refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? LOOK_EVERY_MS : false),
      placeholderData: (before) => before,
    }),
  );
  const requests = list.data?.pages.flatMap((page) => page.requests) ?? [];
  const isFiltered = Object.values(filters).some((value) => value !== '');
  if (keptDays === 0) return <p>This service keeps no log of requests.</p>;
  return (
    <section aria-labelledby="request-list">
      <h2 id="request-list" className="sr-only">
        Requests, newest first
      </h2>
      <div className={styles.head}>
        <p className="note">Kept for {formatCount(keptDays, 'day')}.</p>
        <FilterFields filters={filters} onChange={change} />
      </div>
      <ul className={styles.entries}>
        {requests.map((request, at) => {
          const [date, time] = formatDateAndTime(request.createdAt);
          const before = requests[at - 1];
          const isFirst = !before || formatDateAndTime(before.createdAt)[0] !== date;
          return (
            <li key={request.id}>
              {isFirst && <h3 className={requestStyles.day}>{date}</h3>}
              <Row request={request} time={time} />
            </li>
          );
        })}
      </ul>
      <LoadMore list={list} isEmpty={requests.length === 0} empty={isFiltered ? NOT_FOUND : EMPTY} />
    </section>
  );
}

/** Returns what the filters ask for. What the address names and no filter has leaves nothing out. */
function getQuery({ status, method, day, search }: Filters): Query {
  const statusClass = getKeys(STATUSES).find((known) => known === status);
  const asked = getKeys(METHODS).find((known) => known === method);
  return {
    ...(statusClass && { statusClass }),
    ...(asked && { method: asked }),
    ...(search && { search }),
    ...timesOfDay(day),
  };
}

interface FilterFieldsProps {
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
}

function FilterFields({ filters, onChange }: FilterFieldsProps) {
  return (
    <div className={formStyles.filters}>
      <SearchField
        label="Request id, job id or part of the path"
        placeholder="Id or part of the path"
        text={filters.search}
        onSearch={(search) => onChange({ search })}
      />
      <input
        type="date"
        className={formStyles.input}
        aria-label="Day"
        value={filters.day}
        onChange={({ target }) => onChange({ day: target.value })}
      />
      <Select<string>
        label="Method"
        value={filters.method}
        choices={METHODS}
        onChoose={(method) => onChange({ method })}
      />
      <Select<string>
        label="Status"
        value={filters.status}
        choices={STATUSES}
        onChoose={(status) => onChange({ status })}
      />
    </div>
  );
}

function Row({ request, time }: { readonly request: LoggedRequest; readonly time: string }) {
  const { id, method, path, status, durationMs, key, modelId, message } = request;
  return (
    <Link href={`/dashboard/requests/${id}`} className={requestStyles.row}>
      <span className={styles.state} data-tone={getTone(status)}>
        {status}
      </span>
      <span className={requestStyles.target}>
        <b>{method}</b> {path}
      </span>
      <span className={requestStyles.duration}>{formatMs(durationMs)}</span>
      <span className={requestStyles.facts}>
        <span>{time}</span>
        <span>{key?.name ?? SIGNED_IN}</span>
        {modelId !== null && <span>{modelName(modelId)}</span>}
      </span>
      {message !== null && <span className={requestStyles.message}>{message}</span>}
    </Link>
  );
}

/** Returns the filters that the address of the page names, and a function that changes some: Back finds them again. */
function useFilters(): [Filters, (changes: Partial<Filters>) => void] {
  const given = useSearchParams();
  const filters = Object.fromEntries(NAMES.map((name) => [name, given.get(name) ?? ''])) as Filters;
  const change = (changes: Partial<Filters>) => {
    const chosen = Object.entries({ ...filters, ...changes }).filter(([, value]) => value !== '');
    const query = new URLSearchParams(chosen).toString();
    window.history.replaceState(null, '', query === '' ? window.location.pathname : `?${query}`);
  };
  return [filters, change];
}
