import { ProviderChain } from '../../models/core/inference/provider-chain.ts';
import type { OperationId } from '../../models/registry.ts';
import { onnxProvider } from '../../server/runtime/inference/node-inference.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';
import { type Part, type RunRequest, type Span, type Spans, timeRun } from '../support/page/run-spans.ts';
import { median, ms, ratio, report } from './measure.ts';

const ROUNDS = 5;
const FORMATS = ['png', 'webp', 'jpeg'] as const;
const SIGNAL = new AbortController().signal;

/** Run whose cost around the model's own time is measured. */
export interface SessionOverheadCase {
  readonly operation: OperationId;
  /** Id of the weights that the model has or stands in for. */
  readonly engine: string;
  readonly model: Uint8Array<ArrayBuffer>;
  readonly photo: Blob;
  /** Photo and model, for the report. */
  readonly title: string;
  /** Name of the steps around the session besides the codecs, for the report. */
  readonly rest: string;
  /** Limit on everything around the session, as a share of the session's own time. */
  readonly shareMax: number;
}

/** Measures on the server, by CPU time. */
export async function benchSessionOverhead(bench: SessionOverheadCase): Promise<void> {
  const session = await ProviderChain.open([onnxProvider('cpu', async () => bench.model)], SIGNAL);
  const runtime = createNodeRuntime({ signal: SIGNAL });
  try {
    for (const format of FORMATS) {
      const rounds: Spans[] = [];
      // The first round warms up.
      for (let round = 0; round <= ROUNDS; round++) {
        rounds.push(await timeRun(runtime, { ...bench, session, format, clock }));
      }
      printFigures(`${bench.operation} ${bench.title}`, format, rounds.slice(1), bench);
    }
  } finally {
    await session.release();
  }
}

/** Measures wasm in Chromium: one run per format, with a first visitor's costs. */
export async function benchSessionOverheadInBrowser(bench: SessionOverheadCase): Promise<void> {
  // After the server's part, whose runner has no browser in its heap.
  const { openWorkerPage } = await import('../support/worker-page.ts');
  const page = await openWorkerPage();
  try {
    const request: RunRequest = {
      operation: bench.operation,
      modelUrl: await page.put(new Blob([bench.model])),
      photoUrl: await page.put(bench.photo),
      engine: bench.engine,
      formats: FORMATS,
    };
    const spans = await page.page.evaluate<Spans[] | string>(`new Promise((resolve) => {
      const worker = new Worker('/timed-run.worker.js', { type: 'module' });
      worker.addEventListener('message', ({ data }) => resolve(data));
      worker.addEventListener('error', ({ message }) => resolve(message));
      worker.postMessage(${JSON.stringify(request)});
    })`);
    if (typeof spans === 'string') throw new Error(spans);
    for (const [at, format] of FORMATS.entries()) {
      printFigures(`${bench.operation} in the tab, ${bench.title}`, format, spans.slice(at, at + 1), bench);
    }
  } finally {
    await page.stop();
  }
}

/** Reads the clocks of this process. */
export function clock(): Span {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() };
}

/** Prints figures by CPU time where available, and by wall time. */
function printFigures(
  name: string,
  format: string,
  rounds: readonly Spans[],
  { rest, shareMax }: SessionOverheadCase,
): void {
  const middle = (part: Part, of: keyof Span) => median(rounds.map((spans) => spans[part][of] ?? Number.NaN));
  const main = rounds.every(({ whole }) => whole.cpuMs !== undefined) ? 'cpuMs' : 'wallMs';
  const took = (part: Part) => middle(part, main);
  const around = took('whole') - took('session');
  const share = (of: keyof Span) => ratio(middle('whole', of) - middle('session', of), middle('session', of));
  report(`${name} -> ${format}`, {
    [main === 'cpuMs' ? 'CPU of session' : 'session']: ms(took('session')),
    around: `${ms(around)}, ${share(main)} of it (at most ${shareMax})`,
    decode: ms(took('decode')),
    [rest]: ms(around - took('decode') - took('encode')),
    encode: ms(took('encode')),
    ...(main === 'cpuMs' && {
      'by the clock': `${ms(middle('session', 'wallMs'))}, around ${share('wallMs')} of it`,
    }),
  });
}
