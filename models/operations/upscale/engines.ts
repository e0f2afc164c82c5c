import type { LadderOptions, ModelEngine } from '../../core/inference/engine-ladder.ts';
import { withSessions } from '../../core/inference/sessions.ts';
import type { Inference, Session } from '../../core/runtime/inference.ts';
import { createReport, type EnlargeReport } from './enlarge-planes.ts';
import { type Passes, planPasses, type UpscaleNetwork, type Upscaler } from './plan-passes.ts';
import type { UpscaleParams } from './schema.ts';
import type { UpscaledInput } from './upscaled-input.ts';
import { BEST_UPSCALER, upscalersFor } from './upscalers.ts';

/** Network with its session, ready to run. */
export interface OpenNetwork {
  readonly network: UpscaleNetwork;
  readonly session: Session;
}

/** Open networks of a request, in the order of their passes. */
export interface OpenPasses extends Pick<Passes, 'reduction'> {
  readonly networks: readonly OpenNetwork[];
  /** Whether the input is a drawing, which gets no swings next to its edges. */
  readonly isDrawing: boolean;
  /** Filled in by the code that runs the networks. */
  readonly report: EnlargeReport;
}

export interface EngineTask<Value> {
  readonly inference: Inference;
  readonly signal: AbortSignal;
  readonly input: UpscaledInput;
  /** Enlarges the input with the networks. */
  readonly work: (passes: OpenPasses) => Promise<Value>;
}

/** Returns how the engine of a request is chosen. */
export function ladderOptions({ model }: UpscaleParams, subject: string, signal: AbortSignal): LadderOptions {
  return {
    engine: 'auto',
    isNamed: model !== BEST_UPSCALER,
    keepsOrder: true,
    purpose: `enlarges ${subject}`,
    signal,
  };
}

/** Returns the engines that may serve a request, best first. */
export function upscaleEngines<Value>(
  { model, scale }: UpscaleParams,
  options: EngineTask<Value>,
): readonly ModelEngine<Value>[] {
  return upscalersFor(model, options.input).map((upscaler) =>
    createEngine(upscaler, planPasses(upscaler, scale), options),
  );
}

function createEngine<Value>(
  { id }: Upscaler,
  passes: Passes,
  options: EngineTask<Value>,
): ModelEngine<Value> {
  const { networks, reduction } = passes;
  const [first, ...others] = networks;
  return {
    id,
    card: first.card,
    async run(session) {
      const report = createReport();
      const cards = others.map(({ card }) => card);
      const value = await withSessions(options.inference, cards, { signal: options.signal }, (sessions) =>
        options.work({
          networks: networks.map((network, at) => ({ network, session: [session, ...sessions][at] })),
          isDrawing: options.input === 'drawing',
          reduction,
          report,
        }),
      );
      return { value, provider: report.provider, notices: [...report.notices] };
    },
  };
}
