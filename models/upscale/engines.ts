import type { ModelEngine } from '../inference/engine-ladder.ts';
import type { Inference, Session } from '../inference.ts';
import { halveStrips } from '../kernels/raster/halve-strips.ts';
import type { StripImage } from '../kernels/raster/strips.ts';
import type { Raster } from '../raster.ts';
import type { EnlargeReport } from './enlarge-planes.ts';
import { enlargeStrips } from './enlarge-strips.ts';
import type { UpscaleNetwork, Upscaler } from './networks.ts';
import { type Passes, planPasses } from './plan-passes.ts';
import type { UpscaleParams } from './schema.ts';
import { BEST_UPSCALER, UPSCALERS } from './upscalers.ts';

export interface UpscaleWork<Value> {
  readonly inference: Inference;
  readonly signal: AbortSignal;
  /** @param fraction of the result that is computed */
  readonly onProgress: (fraction: number) => void;
  /** Encodes the enlarged image while it is computed. */
  readonly encode: (enlarged: StripImage) => Promise<Value>;
}

/** Returns the engines that may answer a request, best first. */
export function upscaleEngines<Value>(
  raster: Raster,
  { model, scale }: UpscaleParams,
  work: UpscaleWork<Value>,
): readonly ModelEngine<Value>[] {
  const upscalers = UPSCALERS.filter(({ id, isDefault }) =>
    model === BEST_UPSCALER ? isDefault : id === model,
  );
  return upscalers.map((upscaler) => engineOf(upscaler, planPasses(upscaler, scale), raster, work));
}

function engineOf<Value>(
  { id }: Upscaler,
  passes: Passes,
  raster: Raster,
  work: UpscaleWork<Value>,
): ModelEngine<Value> {
  const [first, ...others] = passes.networks;
  return {
    id,
    card: first.card,
    async run(session) {
      const report: EnlargeReport = { provider: '', notices: new Set() };
      const value = await withSessions(others, work, (sessions) =>
        work.encode(enlarge(raster, passes, [session, ...sessions], work, report)),
      );
      return { value, provider: report.provider, notices: [...report.notices] };
    },
  };
}

function enlarge<Value>(
  raster: Raster,
  { networks, reduction }: Passes,
  sessions: readonly Session[],
  { signal, onProgress }: UpscaleWork<Value>,
  report: EnlargeReport,
): StripImage {
  const source: StripImage = {
    width: raster.width,
    height: raster.height,
    bitDepth: raster.data instanceof Uint16Array ? 16 : 8,
    strips: only(raster),
  };
  const enlarged = networks.reduce((image, network, at) => {
    // The last network takes the longest, and waits for the others as it goes.
    const isLast = at === networks.length - 1;
    const options = { signal, report, onProgress: isLast ? onProgress : () => {} };
    return enlargeStrips(image, network, sessions[at] as Session, options);
  }, source);
  return reduction === 2 ? halveStrips(enlarged) : enlarged;
}

/** Opens the sessions of several networks at once. */
async function withSessions<Value, Result>(
  networks: readonly UpscaleNetwork[],
  work: UpscaleWork<Value>,
  use: (sessions: readonly Session[]) => Promise<Result>,
): Promise<Result> {
  const [first, ...others] = networks;
  if (!first) return use([]);
  return work.inference.use(first.card, { signal: work.signal }, (session) =>
    withSessions(others, work, (sessions) => use([session, ...sessions])),
  );
}

async function* only(raster: Raster): AsyncGenerator<Raster> {
  yield raster;
}
