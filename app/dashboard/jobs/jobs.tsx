'use client';

import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallOutputs } from '../../../server/api/trpc/router.ts';
import { formatMoment } from '../../ui/dates.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import styles from '../parts/dashboard.module.css';
import formStyles from '../parts/form.module.css';
import { describeFacts, modelName, timesOfDay } from '../parts/format.ts';
import { LoadMore, SearchField, Select } from '../parts/list-controls.tsx';
import { usePermitted } from '../parts/permissions.tsx';
import { Problem } from '../parts/problem.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';
import { JobDetail, ownPath } from './job-detail.tsx';
import jobsStyles from './jobs.module.css';

type Job = CallOutputs['jobs']['list']['jobs'][number];
type Preview = CallOutputs['jobs']['previews'][string];

const FILTERS = { all: 'All', running: 'Running', completed: 'Completed', failed: 'Failed' } as const;
type Filter = keyof typeof FILTERS;

const STATUSES = {
  all: undefined,
  running: ['QUEUED', 'PROCESSING'],
  completed: ['COMPLETED'],
  failed: ['FAILED', 'ERROR'],
} as const;

const EMPTY: Readonly<Record<Filter, string>> = {
  all: 'No jobs yet.',
  running: 'No job is running.',
  completed: 'No job has completed yet.',
  failed: 'No job has failed.',
};

const NOT_FOUND = 'Nothing found. Enter the whole id, reference or key=value.';

const NONE_THAT_DAY = 'No job was requested on this day.';

const STATES: Readonly<Record<Job['status'], { readonly word: string; readonly tone: string }>> = {
  QUEUED: { word: 'Waiting', tone: 'muted' },
  PROCESSING: { word: 'Running', tone: 'ink' },
  COMPLETED: { word: 'Completed', tone: 'good' },
  FAILED: { word: 'Failed', tone: 'bad' },
  ERROR: { word: 'Our fault', tone: 'warn' },
};

/** The jobs of the account, newest first and live. */
export function Jobs({ opened }: { readonly opened: string | undefined }) {
  const calls = useTrpc();
  const [filter, setFilter] = useState<Filter>('all');
  const [search, setSearch] = useState('');
  const [day, setDay] = useState('');
  const statuses = STATUSES[filter];
  const query = {
    ...(statuses && { statuses: [...statuses] }),
    ...(search && { search }),
    ...timesOfDay(day),
  };
  const list = useInfiniteQuery(
    calls.jobs.list.infiniteQueryOptions(query, { getNextPageParam: ({ next }) => next }),
  );
  const jobs = list.data?.pages.flatMap((page) => page.jobs) ?? [];
  const previews = usePreviews(jobs);
  const isListed = jobs.some(({ id }) => id === opened);
  return (
    <section aria-label="Jobs, newest first">
      <div className={styles.head}>
        <div className={formStyles.filters}>
          <SearchField
            label="Job id, reference or metadata"
            placeholder="Id, reference or key=value"
            onSearch={setSearch}
          />
          <input
            type="date"
            className={formStyles.input}
            aria-label="Day"
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
          <Select label="State" value={filter} choices={FILTERS} onChoose={setFilter} />
        </div>
      </div>
      {opened !== undefined && list.data && !isListed && <JobDetail id={opened} />}
      <ul className={styles.list}>
        {jobs.map((job) => (
          // A link to another job opens its row and closes the one before.
          <JobRow
            key={`${job.id} ${job.id === opened}`}
            job={job}
            isOpen={job.id === opened}
            preview={previews[job.id]}
          />
        ))}
      </ul>
      <LoadMore
        list={list}
        isEmpty={jobs.length === 0}
        empty={search ? NOT_FOUND : day ? NONE_THAT_DAY : EMPTY[filter]}
      />
    </section>
  );
}

/** Number of jobs whose results are asked for at once. */
const PREVIEWS_MAX = 100;

/** Returns the names of results, with the URLs of those that the list can show in small, by job. */
function usePreviews(jobs: readonly Job[]): Readonly<Record<string, Preview>> {
  const calls = useTrpc();
  const ids = jobs.filter(({ status }) => status === 'COMPLETED').map(({ id }) => id);
  const query = calls.jobs.previews.queryOptions({ ids: ids.slice(0, PREVIEWS_MAX) });
  const { data } = useQuery({ ...query, enabled: ids.length > 0, placeholderData: (before) => before });
  return data ?? {};
}

interface JobRowProps {
  readonly job: Job;
  readonly isOpen: boolean;
  /** First file of its result; undefined without one. */
  readonly preview: Preview | undefined;
}

function JobRow({ job, isOpen, preview }: JobRowProps) {
  const [isShown, setIsShown] = useState(isOpen);
  const { id, modelId, status, progress, error, heldUsd, chargedUsd, createdAt, facts, reference, runOn } =
    job;
  const canChange = usePermitted('jobs.change');
  const isRunning = status === 'QUEUED' || status === 'PROCESSING';
  const cost =
    heldUsd === null ? (status === 'COMPLETED' ? `$${chargedUsd}` : 'not charged') : `held $${heldUsd}`;
  return (
    <li>
      <div className={styles.line}>
        <p className={jobsStyles.named}>
          <SmallResult url={preview?.url} />
          <b>{preview?.name ?? modelName(modelId)}</b>{' '}
          <span className="note">
            {preview ? `${modelName(modelId)} · ${describeFacts(facts)}` : describeFacts(facts)}
          </span>
        </p>
        <span className={styles.actions}>
          {/* What a job has cost says that it has completed. */}
          {status !== 'COMPLETED' && (
            <span className={styles.state} data-tone={STATES[status].tone}>
              {STATES[status].word}
            </span>
          )}
          <span className="facts">{cost}</span>
          {isRunning && canChange && <Cancel id={id} />}
        </span>
      </div>
      {status === 'PROCESSING' && <ProgressLine fraction={progress} label="Progress of the job" />}
      {error && <p>{error}</p>}
      <details open={isShown} onToggle={(event) => setIsShown(event.currentTarget.open)}>
        <summary>
          {formatMoment(createdAt)}
          {reference !== null && (
            <>
              {' · '}
              <span className="facts">{reference}</span>
            </>
          )}
          {runOn === 'own' && ' · self-hosted'}
        </summary>
        {isShown && <JobDetail id={id} />}
      </details>
    </li>
  );
}

/** Shows a result in small, where the page may load it. The details name it. */
function SmallResult({ url }: { readonly url: string | null | undefined }) {
  const own = url && ownPath(url);
  return own ? <img src={own} alt="" loading="lazy" className={jobsStyles.preview} /> : null;
}

function Cancel({ id }: { readonly id: string }) {
  const calls = useTrpc();
  const cancel = useMutation(calls.jobs.cancel.mutationOptions());
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={cancel.isPending}
        aria-label={`Cancel job ${id}`}
        onClick={() => cancel.mutate({ id })}
      >
        Cancel job
      </button>
      <Problem error={cancel.error} />
    </>
  );
}
