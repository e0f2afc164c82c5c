import { modelMismatch } from '../../core/inference/model-errors.ts';
import type { Session } from '../../core/runtime/inference.ts';
import type { FloatImage, ImageSize, PixelRegion, Raster } from '../../core/runtime/raster.ts';
import type { RunWarning } from '../../core/runtime/run-warnings.ts';
import { floatTensor, getFloats, type Tensor } from '../../core/runtime/tensor.ts';
import type { WeightCard } from '../../core/runtime/weight-card.ts';
import { cropImage, fillRegion, pasteImage } from '../../kernels/raster/crop.ts';
import { imageOfTensor, imageTensor } from '../../kernels/raster/image-tensor.ts';
import { fitWithin, resizeColours } from '../../kernels/raster/resize.ts';
import { GUIDE_ENGINES, type GuideEngineId } from './engines.ts';
import { type Extent, scaleExtent } from './geometry.ts';

/** Side at which the networks see the whole canvas. */
const SIDE = 512;

/** Network that paints the canvas roughly; patches of the image then give it its detail. */
export interface GuideNetwork {
  readonly card: WeightCard;
  /** Returns the inputs of a graph. @param colours red, green and blue, 0 to 1; unknown ones are 0 */
  feeds(colours: FloatImage, kept: PixelRegion, names: readonly string[]): Readonly<Record<string, Tensor>>;
  /** Whether its colours are in the order blue, green, red. */
  readonly isReversed?: true;
  /** Whether it takes squares only. */
  readonly isSquare: boolean;
}

const CONTRACTS: Readonly<Record<GuideEngineId, Omit<GuideNetwork, 'card'>>> = {
  'lama-fp32': { isSquare: true, feeds: floatFeeds },
  'lama-opencv': { isSquare: true, isReversed: true, feeds: floatFeeds },
  'migan-pipeline-v2': { isSquare: false, feeds: byteFeeds },
};

/** Best first. */
export const GUIDE_NETWORKS: readonly GuideNetwork[] = GUIDE_ENGINES.map(({ id, card }) => ({
  card,
  ...CONTRACTS[id],
}));

/**
 * Paints the canvas with a network, at no more than 512 pixels a side.
 * @param image of the size of `extent.kept`
 * @returns red, green and blue of the whole canvas, 0 to 1
 * @throws OperationError `unavailable` when the graph does not return an image
 */
export async function paintGuide(
  network: GuideNetwork,
  session: Session,
  {
    image,
    extent,
    signal,
  }: { readonly image: Raster; readonly extent: Extent; readonly signal: AbortSignal },
): Promise<{
  readonly guide: FloatImage;
  readonly provider: string;
  readonly notices: readonly RunWarning[];
}> {
  const size = fitWithin(extent, SIDE);
  const { kept } = scaleExtent(extent, size);
  // What a square has more than the canvas is unknown as well, and cut off afterwards.
  const canvas = network.isSquare ? { width: SIDE, height: SIDE } : size;
  const arrange = (colours: FloatImage) => (network.isReversed ? reverseColours(colours) : colours);
  const colours = placeOn(canvas, kept, arrange(resizeColours(image, kept.width, kept.height)));
  const names = session.inputs.map(({ name }) => name);
  const { outputs, provider, notices } = await session.run(network.feeds(colours, kept, names), signal);
  const output = outputs[session.outputs[0]?.name ?? ''];
  const painted = output && imageOfTensor(output, 'nchw', 3);
  if (!painted || painted.width !== canvas.width || painted.height !== canvas.height)
    throw modelMismatch(network.card, 'return an image');
  return { guide: cutOff(arrange(painted), size), provider, notices };
}

function placeOn({ width, height }: ImageSize, kept: PixelRegion, image: FloatImage): FloatImage {
  const placed = { width, height, channels: 3, data: new Float32Array(width * height * 3) };
  pasteImage(placed, image, kept, kept);
  return placed;
}

/** Returns the colours blue first, as some networks read and return them. */
function reverseColours(image: FloatImage): FloatImage {
  const data = image.data.map((_, at) => image.data[at - (at % 3) + 2 - (at % 3)]);
  return { ...image, data };
}

/**
 * Returns the upper left part, from 0 to 1. Exports of one network differ in whether they return 1 or 255 for white.
 */
function cutOff(image: FloatImage, size: ImageSize): FloatImage {
  const white = image.data.some((value) => value > 2) ? 255 : 1;
  const cut = cropImage(image, { left: 0, top: 0, ...size });
  return { ...cut, data: cut.data.map((value) => Math.max(0, Math.min(1, value / white))) };
}

/** LaMa: image from 0 to 1, and a mask with 1 where it paints. */
function floatFeeds(colours: FloatImage, kept: PixelRegion, names: readonly string[]) {
  const { width, height } = colours;
  const mask = new Float32Array(width * height).fill(1);
  fillRegion(mask, width, kept, 0);
  const [image = 'image', maskName = 'mask'] = names;
  return {
    [image]: imageTensor(colours, { type: 'float32', layout: 'nchw' }),
    [maskName]: floatTensor('float32', [1, 1, height, width], mask),
  };
}

/** MI-GAN: bytes, and a mask with 255 where the image stays. */
function byteFeeds(colours: FloatImage, kept: PixelRegion, names: readonly string[]): Record<string, Tensor> {
  const { width, height } = colours;
  const planes = getFloats(imageTensor(colours, { type: 'float32', layout: 'nchw' }));
  const mask = new Uint8Array(width * height);
  fillRegion(mask, width, kept, 255);
  const [image = 'image', maskName = 'mask'] = names;
  return {
    [image]: {
      type: 'uint8',
      dims: [1, 3, height, width],
      data: Uint8Array.from(planes, (value) => Math.round(value * 255)),
    },
    [maskName]: { type: 'uint8', dims: [1, 1, height, width], data: mask },
  };
}
