import { NO_MODELS } from '../../../models/core/inference/model-errors.ts';
import type { Inference, Session } from '../../../models/core/runtime/inference.ts';
import type { Runtime } from '../../../models/core/runtime/runtime.ts';
import { instrumentSpans, type SpanName } from '../../../models/core/runtime/spans.ts';
import { OPERATIONS, type OperationId } from '../../../models/registry.ts';

/** Duration of a step by each available clock, in ms. */
export interface Span {
  /** CPU time of all threads, independent of other load. Browsers do not report it. */
  readonly cpuMs?: number;
  readonly wallMs: number;
}

export type Part = 'whole' | SpanName;
export type Spans = Readonly<Record<Part, Span>>;

export const ZERO_SPAN: Span = { cpuMs: 0, wallMs: 0 };

export interface TimedRun {
  readonly operation: OperationId;
  readonly session: Session;
  /** Id of the weights that the session has or stands in for. */
  readonly engine: string;
  readonly format: string;
  readonly photo: Blob;
  /** Time so far. */
  readonly clock: () => Span;
}

/** Timing request to a page's worker. */
export interface RunRequest {
  readonly operation: OperationId;
  readonly modelUrl: string;
  readonly photoUrl: string;
  /** Id of the weights that the graph has or stands in for. */
  readonly engine: string;
  /** One run per format. */
  readonly formats: readonly string[];
}

/** Runs an operation on a photo and records the durations of the run and its parts. */
export async function timeRun(runtime: Runtime, run: TimedRun): Promise<Spans> {
  const { operation, session, engine, format, photo, clock } = run;
  const spans: Partial<Record<Part, Span>> = {};
  async function timed<Result>(part: Part, work: () => Promise<Result>): Promise<Result> {
    const before = clock();
    const sessionBefore = spans.session;
    const result = await work();
    const took = difference(before, clock());
    // An encoder that takes strips waits for the session that computes them.
    const isNested = part === 'encode' && spans.session;
    spans[part] = sum(
      spans[part],
      isNested ? difference(difference(sessionBefore ?? ZERO_SPAN, spans.session ?? ZERO_SPAN), took) : took,
    );
    return result;
  }
  const inference: Inference = {
    availability: async ({ id }) => (id === engine ? 'ready' : 'unavailable'),
    use: (_card, _options, work) => work(session),
    read: NO_MODELS.read,
  };
  const watched = instrumentSpans({ ...runtime, inference }, timed);
  const params = { output_format: format };
  await timed('whole', () => OPERATIONS[operation].execute(photo, params, watched));
  return spans as Spans;
}

export function difference(before: Span, after: Span): Span {
  const wallMs = after.wallMs - before.wallMs;
  return after.cpuMs === undefined ? { wallMs } : { cpuMs: after.cpuMs - (before.cpuMs ?? 0), wallMs };
}

/** Sums the sessions: a model may run several times. */
export function sum(so: Span = ZERO_SPAN, more: Span): Span {
  const wallMs = so.wallMs + more.wallMs;
  return more.cpuMs === undefined ? { wallMs } : { cpuMs: (so.cpuMs ?? 0) + more.cpuMs, wallMs };
}
