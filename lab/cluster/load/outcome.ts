import { percentile } from '../../bench/measure.ts';
import type { Sighting } from './load.ts';

/** Job of the account that sent the load, as the database knows it once all is over. */
export interface JobRecord {
  readonly id: string;
  readonly status: 'QUEUED' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'ERROR';
  /** Attempts, including those that an outage ended. */
  readonly attempts: number;
  /** Captures of its hold: charges. */
  readonly charges: number;
  /** Runs to its end, as the logs of the runners say. */
  readonly runsToEnd: number;
}

/** Outcome of a scenario. */
export interface Outcome {
  readonly submitted: number;
  readonly completed: number;
  readonly failed: number;
  /** Ended in ERROR. */
  readonly inError: number;
  /** Neither ended nor lost when the time was up. */
  readonly unfinished: number;
  /** Accepted, but unknown to the database. */
  readonly lost: number;
  /** Never accepted, although sent again and again. */
  readonly refused: number;
  /** Jobs that no program knows of. */
  readonly orphans: number;
  /** Completed, but with a result that cannot be read. */
  readonly unreadable: number;
  readonly charges: number;
  /** Jobs with a charge too many, or without the one that they owe. */
  readonly wronglyCharged: number;
  /** Most runs of any job to its end. */
  readonly runsToEndMax: number;
  /** Jobs with more than one attempt. */
  readonly repeated: number;
  /** Calls that a client gave up. */
  readonly givenUp: number;
  /** Median and 95th percentile of the jobs of the healthy part, in ms; null without one. */
  readonly healthyMs: { readonly median: number; readonly p95: number } | null;
}

/** Compares what programs saw with what the database knows. */
export function summarize(sightings: readonly Sighting[], records: readonly JobRecord[]): Outcome {
  const byId = new Map(records.map((record) => [record.id, record]));
  const known = new Set(sightings.flatMap(({ requestId }) => requestId ?? []));
  const count = (matches: (record: JobRecord) => boolean) => records.filter(matches).length;
  const withStatus = (status: JobRecord['status']) => count((record) => record.status === status);
  const latencies = sightings.flatMap(({ requestId, latencyMs, isAtHealthyPart }) => {
    const isFirstAttempt = byId.get(requestId ?? '')?.attempts === 1;
    return isAtHealthyPart && isFirstAttempt && latencyMs !== null ? [latencyMs] : [];
  });
  const isUnreadable = ({ requestId, isReadable }: Sighting) =>
    byId.get(requestId ?? '')?.status === 'COMPLETED' && !isReadable;
  return {
    submitted: sightings.length,
    completed: withStatus('COMPLETED'),
    failed: withStatus('FAILED'),
    inError: withStatus('ERROR'),
    unfinished: withStatus('QUEUED') + withStatus('PROCESSING'),
    lost: [...known].filter((id) => !byId.has(id)).length,
    refused: sightings.filter(({ requestId }) => requestId === null).length,
    orphans: count(({ id }) => !known.has(id)),
    unreadable: sightings.filter(isUnreadable).length,
    charges: records.reduce((sum, { charges }) => sum + charges, 0),
    wronglyCharged: count(({ status, charges }) => charges !== (status === 'COMPLETED' ? 1 : 0)),
    runsToEndMax: Math.max(0, ...records.map(({ runsToEnd }) => runsToEnd)),
    repeated: count(({ attempts }) => attempts > 1),
    givenUp: sightings.reduce((sum, { givenUp }) => sum + givenUp, 0),
    healthyMs:
      latencies.length === 0
        ? null
        : { median: percentile(latencies, 0.5), p95: percentile(latencies, 0.95) },
  };
}
