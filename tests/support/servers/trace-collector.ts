import { vi } from 'vitest';
import { type TraceCollector as Collector, collectTraces } from '../../../lab/support/trace-collector.ts';

export type { CollectedSpan } from '../../../lab/support/trace-collector.ts';

export interface TraceCollector extends Collector {
  /** Waits for a span of the name. */
  until(name: string): Promise<void>;
}

/** Starts a collector of traces whose spans a test can wait for. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const collector = await collectTraces();
  return Object.assign(collector, {
    async until(name: string) {
      await vi.waitUntil(() => collector.spans().some((span) => span.name === name), { timeout: 60_000 });
    },
  });
}
