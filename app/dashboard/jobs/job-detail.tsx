'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import type { CallOutputs } from '../../../server/api/trpc/router.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { formatMoment } from '../../ui/dates.ts';
import { formatCount } from '../../ui/quantities.ts';
import styles from '../parts/dashboard.module.css';
import { Fact } from '../parts/fact.tsx';
import { usePermitted } from '../parts/permissions.tsx';
import { Problem } from '../parts/problem.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';
import { Attempts } from '../webhooks/deliveries.tsx';
import detailStyles from './job-detail.module.css';

type Rerun = NonNullable<CallOutputs['jobs']['get']['rerun']>;

type Job = CallOutputs['jobs']['get'];

/** Everything about one job: result, request and webhook. */
export function JobDetail({ id }: { readonly id: string }) {
  const calls = useTrpc();
  const { data: job, error } = useQuery(calls.jobs.get.queryOptions({ id }));
  if (error) return <p role="alert">{error.message}</p>;
  if (!job) return <p role="status">Loading…</p>;
  return (
    <div className={detailStyles.detail}>
      <Result job={job} />
      <Request job={job} />
      <Webhook job={job} />
      <OwnBucket job={job} />
    </div>
  );
}

function Result({ job }: { readonly job: Job }) {
  return (
    <div>
      <h2>Result</h2>
      {job.files.length === 0 && !job.result && (
        <p className="note">{job.status === 'COMPLETED' ? 'Its files are deleted.' : 'None yet.'}</p>
      )}
      {job.files.map((url) => (
        <ResultFile key={url} url={url} mediaType={job.mediaType ?? ''} />
      ))}
      {job.result && <pre className={styles.text}>{job.result}</pre>}
      {job.warnings.map((warning) => (
        <p key={warning} className="note">
          {warning}
        </p>
      ))}
    </div>
  );
}

function Request({ job }: { readonly job: Job }) {
  const canRun = usePermitted('jobs.change');
  return (
    <div>
      <h2>Request</h2>
      <dl className={styles.facts}>
        <Fact name="Id" className="facts">
          {job.id}
        </Fact>
        <Fact name="Key">{job.key ? `${job.key.name} (${job.key.prefix})` : 'Studio'}</Fact>
        {job.engine && <Fact name="Engine">{job.engine}</Fact>}
        {job.runOn === 'own' && (
          <Fact name="Runs on">{job.worker ?? 'a self-hosted worker, which has not taken it yet'}</Fact>
        )}
        {job.completedAt && <Fact name="Ended">{formatMoment(job.completedAt)}</Fact>}
        <Fact name="Log">
          <Link href={`/dashboard/requests?search=${encodeURIComponent(job.id)}`}>Its requests</Link>
        </Fact>
        {job.reference !== null && (
          <Fact name="Reference" className="facts">
            {job.reference}
          </Fact>
        )}
        {Object.entries(job.metadata).map(([key, value]) => (
          <Fact key={key} name={key} className="facts">
            {value}
          </Fact>
        ))}
      </dl>
      <h3>Params</h3>
      <pre className={styles.text}>{job.params}</pre>
      {job.rerun && canRun && <RerunJob id={job.id} rerun={job.rerun} />}
    </div>
  );
}

function Webhook({ job }: { readonly job: Job }) {
  if (!job.webhookUrl && job.deliveries.length === 0) return null;
  return (
    <div>
      <h2>Webhook</h2>
      {job.deliveries.length === 0 && <p className="note">Nothing sent yet.</p>}
      {job.deliveries.map((delivery) => (
        <Attempts key={delivery.id} delivery={delivery} />
      ))}
    </div>
  );
}

/** Shows where a result went, and the receipt to keep. */
function OwnBucket({ job }: { readonly job: Job }) {
  if (job.outputDelivery.length === 0 && job.receipt === null) return null;
  return (
    <div>
      {job.outputDelivery.length > 0 && <h2>Own bucket</h2>}
      {job.outputDelivery.map(({ url, status, attempts, error }) => (
        <p key={url} className="note">
          <span className="facts">{url}</span> {status} after {formatCount(attempts, 'attempt')}
          {error !== null && `: ${error}`}
        </p>
      ))}
      {job.receipt !== null && (
        <>
          <h2>Receipt</h2>
          <p className="note">
            For <code>darkroom verify</code>.
          </p>
          <CopyText text={job.receipt} label="Copy receipt" />
        </>
      )}
    </div>
  );
}

/** Shows a result where the page may load it, with its signed link. */
function ResultFile({ url, mediaType }: { readonly url: string; readonly mediaType: string }) {
  const own = ownPath(url);
  const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? 'result');
  return (
    <>
      {own && mediaType.startsWith('image/') && <img src={own} alt={`Result ${name}`} />}
      {own && mediaType.startsWith('video/') && (
        <video src={own} controls muted aria-label={`Result ${name}`} />
      )}
      {own && mediaType.startsWith('audio/') && (
        // biome-ignore lint/a11y/useMediaCaption: stems of a visitor's own sound have no captions
        <audio src={own} controls aria-label={`Result ${name}`} />
      )}
      <p className={styles.actions}>
        <a href={own ?? url} className="button" download>
          Download {name}
        </a>
        <CopyText text={url} label="Copy link" />
      </p>
    </>
  );
}

/** Runs an ended job again for the price on the button, or says why that is not possible. */
function RerunJob({ id, rerun }: { readonly id: string; readonly rerun: Rerun }) {
  const calls = useTrpc();
  const [press, setPress] = useState(() => crypto.randomUUID());
  const again = useMutation(
    calls.jobs.runAgain.mutationOptions({
      // A refusal is repeated under its key. Without a response there may be a job, which the same key finds.
      onError: ({ data }) => {
        if (data) setPress(crypto.randomUUID());
      },
    }),
  );
  if ('refusal' in rerun) return <p className="note">{rerun.refusal}</p>;
  // Without the button a slow double click starts nothing more.
  if (again.data) {
    return (
      <p role="status">
        <Link href={`/dashboard/jobs?job=${again.data.id}`}>Open the new job</Link>
      </p>
    );
  }
  const { priceUsd } = rerun;
  return (
    <div>
      <button
        type="button"
        className="button"
        disabled={again.isPending}
        onClick={() => again.mutate({ id, priceUsd, idempotencyKey: press })}
      >
        {again.isPending ? 'Sending…' : `Run again · $${priceUsd}`}
      </button>
      <Problem error={again.error} />
    </div>
  );
}

/** Returns the path of a result at this origin, whatever name it has here; undefined for one of another store. */
export function ownPath(url: string): string | undefined {
  const { pathname, search } = new URL(url);
  return pathname.startsWith('/cdn/') ? pathname + search : undefined;
}
