import type { ModelEngine } from '../core/inference/engine-ladder.ts';
import { modelMismatch } from '../core/inference/model-errors.ts';
import { runSingle } from '../core/inference/sessions.ts';
import type { Session } from '../core/runtime/inference.ts';
import type { FloatImage } from '../core/runtime/raster.ts';
import { getFloats, type Tensor } from '../core/runtime/tensor.ts';
import { pasteImage } from '../kernels/raster/crop.ts';
import { imageTensor, type PerChannel } from '../kernels/raster/image-tensor.ts';
import { resizeAligned, resizeImage } from '../kernels/raster/resize.ts';
import { getSeverity, maxSeverity, type Severity, softmax, type Thresholds } from './categories.ts';
import { SEXUAL_ENGINES, type SexualEngineId } from './engines.ts';

/** Network that judges the category Sexual alone. */
interface SexualNetwork {
  /** @param colours red, green, blue, 0 to 1 */
  feed(colours: FloatImage): Tensor;
  /** Labels of its outputs, in their order. */
  readonly labels: readonly string[];
  /** Returns the share of each label. @param values of the network's output */
  shares(values: readonly number[]): readonly number[];
  /**
   * @param shares of the labels
   * @param lookAgain returns the shares of another view of the image
   */
  severity(shares: readonly number[], lookAgain: LookAgain): Severity | Promise<Severity>;
}

type LookAgain = (change: (colours: FloatImage) => FloatImage) => Promise<readonly number[]>;

const HALF: PerChannel = [0.5, 0.5, 0.5];
const VIT_SIDE = 384;
const MOBILENET_SIDE = 224;

/** `docs/moderation.md` says how the thresholds were set. */
const UNSAFE: Thresholds = [0.5, 0.75, 0.95];
const EXPLICIT: Thresholds = [0.4, 0.6, 0.85];
/** Explicit from here on whatever a second view shows. */
const EXPLICIT_CERTAIN = 0.95;
/** Least explicit share of the framed view that confirms one of the image itself. */
const FRAMED_MIN = 0.35;
/** Side of an image in its frame, and the gray of that. */
const FRAMED_SIDE = 150;
const FRAME_GRAY = 0.5;
/** Swimwear, a dancer or a close portrait count as Low at most. */
const SUGGESTIVE: Thresholds = [0.97, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];

const NETWORKS: Readonly<Record<SexualEngineId, SexualNetwork>> = {
  'nsfw-vit-int8': {
    feed: (colours) =>
      imageTensor(resizeImage(colours, VIT_SIDE, VIT_SIDE), {
        type: 'float32',
        layout: 'nchw',
        mean: HALF,
        deviation: HALF,
      }),
    labels: ['safe', 'unsafe'],
    shares: softmax,
    severity: ([_safe, unsafe = 0]) => getSeverity(unsafe, UNSAFE),
  },
  'nsfw-mobilenet': {
    feed: (colours) =>
      imageTensor(resizeAligned(colours, MOBILENET_SIDE, MOBILENET_SIDE), {
        type: 'float32',
        layout: 'nhwc',
      }),
    labels: ['drawing', 'hentai', 'neutral', 'porn', 'sexy'],
    shares: (probabilities) => probabilities,
    async severity(shares, lookAgain) {
      const explicit = explicitShare(shares);
      const [, , , , sexy = 0] = shares;
      const isDoubtful = explicit >= EXPLICIT[0] && explicit < EXPLICIT_CERTAIN;
      const isExplicit = !isDoubtful || explicitShare(await lookAgain(framed)) >= FRAMED_MIN;
      return maxSeverity(isExplicit ? getSeverity(explicit, EXPLICIT) : 0, getSeverity(sexy, SUGGESTIVE));
    },
  },
};

function explicitShare([_drawing = 0, hentai = 0, _neutral = 0, porn = 0]: readonly number[]): number {
  return porn + hentai;
}

/**
 * Shows an image smaller, in a gray frame. The network takes a face that fills the image for skin, and sees in the frame
 * that it is one picture of something.
 */
function framed(colours: FloatImage): FloatImage {
  const inner = resizeAligned(colours, FRAMED_SIDE, FRAMED_SIDE);
  const side = MOBILENET_SIDE;
  const data = new Float32Array(side * side * 3).fill(FRAME_GRAY);
  const frame = { width: side, height: side, channels: 3, data };
  const edge = Math.floor((side - FRAMED_SIDE) / 2);
  const region = { left: edge, top: edge, width: FRAMED_SIDE, height: FRAMED_SIDE };
  pasteImage(frame, inner, region, region);
  return frame;
}

/**
 * Lists the networks for the category Sexual as engines, best first.
 * @param colours red, green, blue, 0 to 1
 */
export function sexualEngines(colours: FloatImage, signal: AbortSignal): readonly ModelEngine<Severity>[] {
  return SEXUAL_ENGINES.map(({ id, card }) => ({
    id,
    card,
    run: (session) => judge(id, session, colours, signal),
  }));
}

/** Returns the share of each label of a network. @throws OperationError `unavailable` for another graph */
export async function readLabels(
  id: SexualEngineId,
  session: Session,
  colours: FloatImage,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const { shares } = await readShares(id, session, colours, signal);
  return new Map(NETWORKS[id].labels.map((label, at) => [label, shares[at] ?? 0]));
}

async function judge(id: SexualEngineId, session: Session, colours: FloatImage, signal: AbortSignal) {
  const { shares, provider, notices } = await readShares(id, session, colours, signal);
  const lookAgain: LookAgain = async (change) =>
    (await readShares(id, session, change(colours), signal)).shares;
  return { value: await NETWORKS[id].severity(shares, lookAgain), provider, notices };
}

async function readShares(id: SexualEngineId, session: Session, colours: FloatImage, signal: AbortSignal) {
  const { feed, labels, shares } = NETWORKS[id];
  const options = { card: { id }, lack: 'classify an image', signal };
  const { output, provider, notices } = await runSingle(session, options, () => feed(colours));
  if (output.data.length !== labels.length) throw modelMismatch(options.card, options.lack);
  return { shares: shares([...getFloats(output)]), provider, notices };
}
