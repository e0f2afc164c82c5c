import type { LadderOptions, ModelEngine } from '../inference/engine-ladder.ts';
import type { Inference, Session } from '../inference.ts';
import { type EnlargeReport, emptyReport } from './enlarge-planes.ts';
import type { UpscaleNetwork, Upscaler } from './networks.ts';
import { type Passes, planPasses } from './plan-passes.ts';
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
  /** Filled in by whoever runs the networks. */
  readonly report: EnlargeReport;
}

export interface EngineWork<Value> {
  readonly inference: Inference;
  readonly signal: AbortSignal;
  readonly input: UpscaledInput;
  /** Enlarges the input with the networks. */
  readonly work: (passes: OpenPasses) => Promise<Value>;
}

/** Returns how the engine of a request is chosen. */
export function ladderOf({ model }: UpscaleParams, what: string, signal: AbortSignal): LadderOptions {
  return { engine: 'auto', isNamed: model !== BEST_UPSCALER, purpose: `enlarges ${what}`, signal };
}

/** Returns the engines that may answer a request, best first. */
export function upscaleEngines<Value>(
  { model, scale }: UpscaleParams,
  options: EngineWork<Value>,
): readonly ModelEngine<Value>[] {
  return upscalersFor(model, options.input).map((upscaler) =>
    engineOf(upscaler, planPasses(upscaler, scale), options),
  );
}

function engineOf<Value>({ id }: Upscaler, passes: Passes, options: EngineWork<Value>): ModelEngine<Value> {
  const { networks, reduction } = passes;
  const [first, ...others] = networks;
  return {
    id,
    card: first.card,
    async run(session) {
      const report = emptyReport();
      const value = await withOpen(others, options, (open) =>
        options.work({ networks: [{ network: first, session }, ...open], reduction, report }),
      );
      return { value, provider: report.provider, notices: [...report.notices] };
    },
  };
}

/** Opens several networks at once. */
async function withOpen<Result>(
  networks: readonly UpscaleNetwork[],
  options: Pick<EngineWork<unknown>, 'inference' | 'signal'>,
  use: (open: readonly OpenNetwork[]) => Promise<Result>,
): Promise<Result> {
  const [network, ...others] = networks;
  if (!network) return use([]);
  return options.inference.use(network.card, { signal: options.signal }, (session) =>
    withOpen(others, options, (open) => use([{ network, session }, ...open])),
  );
}
