import type { ImageCodec } from '../../models/image-codec.ts';
import type { Inference, Session } from '../../models/inference.ts';
import { firstFrame } from '../../models/kernels/raster/first-frame.ts';
import { removeBg } from '../../models/remove-bg/operation.ts';
import type { Runtime } from '../../models/runtime.ts';

/** Duration of a step by each available clock, in ms. */
export interface Span {
  /** CPU time of all threads, independent of other load. Browsers do not report it. */
  readonly cpuMs?: number;
  readonly wallMs: number;
}

export type Part = 'whole' | 'decode' | 'session' | 'encode';
export type Spans = Readonly<Record<Part, Span>>;

export interface TimedRemoval {
  readonly session: Session;
  /** Model that the session stands in for. */
  readonly engine: string;
  readonly format: string;
  readonly photo: Blob;
  /** Time so far. */
  readonly clock: () => Span;
}

/** Timing request to a page's worker. */
export interface RemovalRequest {
  readonly modelUrl: string;
  readonly photoUrl: string;
  /** Model that the graph stands in for. */
  readonly engine: string;
  /** One run per format. */
  readonly formats: readonly string[];
}

/** Removes the background of a photo and records the durations of the run and its parts. */
export async function timeRemoval(runtime: Runtime, removal: TimedRemoval): Promise<Spans> {
  const { session, engine, format, photo, clock } = removal;
  const spans: Partial<Record<Part, Span>> = {};
  async function timed<Result>(part: Part, work: () => Promise<Result>): Promise<Result> {
    const before = clock();
    const result = await work();
    spans[part] = sum(spans[part], difference(before, clock()));
    return result;
  }
  const watched: Session = {
    inputs: session.inputs,
    outputs: session.outputs,
    run: (feeds, signal) => timed('session', () => session.run(feeds, signal)),
  };
  const inference: Inference = {
    availability: async ({ id }) => (id === engine ? 'ready' : 'unavailable'),
    use: (_card, _options, work) => work(watched),
  };
  const images: ImageCodec = {
    async decode(input, options) {
      const picture = await timed('decode', () => runtime.images.decode(input, options));
      // Samples are made on demand.
      async function* frames() {
        yield await timed('decode', () => firstFrame(picture));
      }
      return Object.create(picture, { frames: { value: frames } });
    },
    encode: (picture, options) => timed('encode', () => runtime.images.encode(picture, options)),
  };
  const params = { output_format: format };
  await timed('whole', () => removeBg.execute(photo, params, { ...runtime, images, inference }));
  return spans as Spans;
}

function difference(before: Span, after: Span): Span {
  const wallMs = after.wallMs - before.wallMs;
  return after.cpuMs === undefined ? { wallMs } : { cpuMs: after.cpuMs - (before.cpuMs ?? 0), wallMs };
}

/** Sums the sessions: a model may look twice. */
function sum(so: Span = { cpuMs: 0, wallMs: 0 }, more: Span): Span {
  const wallMs = so.wallMs + more.wallMs;
  return more.cpuMs === undefined ? { wallMs } : { cpuMs: (so.cpuMs ?? 0) + more.cpuMs, wallMs };
}
