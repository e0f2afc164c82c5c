import type { Picture } from '../../../core/runtime/image-codec.ts';
import type { Frame, Raster } from '../../../core/runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../../core/runtime/run-warnings.ts';
import { assertAnimationFits } from '../../../kernels/picture/assert-animation-fits.ts';
import { FrameCanvas } from '../../../kernels/raster/frame-canvas.ts';
import { type Orientation, orientRaster } from '../../../kernels/raster/orient-raster.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { type PngAnimation, readPngAnimation } from './read-animation.ts';

export interface AnimationDecoding {
  /** Transform that makes the image upright. */
  readonly orientation: Orientation;
  /** Decodes a PNG of one frame, in the colours that the whole shall have. */
  readonly decodeStill: (file: Bytes) => Promise<Raster>;
  readonly signal: AbortSignal;
}

/**
 * Opens an animated PNG with a decoder of still ones.
 * @param still its still image, opened
 * @returns `still` when the file is not animated
 * @throws OperationError `unprocessable` when it is damaged, or too large
 */
export function openPngAnimation(file: Bytes, still: Picture, decoding: AnimationDecoding): Picture {
  const animation = readPngAnimation(file);
  if (!animation) return still;
  assertAnimationFits(animation, animation.frames.length);
  // Nothing is shown after the last one is cleared.
  const leavesHoles = animation.frames.slice(0, -1).some(({ dispose }) => dispose === 'background');
  const [first] = animation.frames;
  const isCovered = first?.region.width === animation.width && first.region.height === animation.height;
  return {
    width: still.width,
    height: still.height,
    frameCount: animation.frames.length,
    loopCount: animation.loopCount,
    hasAlpha: still.hasAlpha || leavesHoles || !isCovered,
    bitDepth: still.bitDepth,
    metadata: still.metadata,
    warnings: [...(still.warnings ?? []), ...missingFrames(animation)],
    frames: () => readFrames(animation, decoding),
  };
}

/** Warns of frames that a file states and lacks: it ends after one of them. */
function missingFrames({ frames, statedFrames }: PngAnimation): RunWarning[] {
  const isShort = frames.length < statedFrames;
  return isShort ? [formatWarning('missing_frames', String(frames.length), String(statedFrames))] : [];
}

async function* readFrames(
  animation: PngAnimation,
  { orientation, decodeStill, signal }: AnimationDecoding,
): AsyncGenerator<Frame> {
  const canvas = new FrameCanvas(animation.width, animation.height);
  for (const frame of animation.frames) {
    signal.throwIfAborted();
    const pixels = await decodeStill(animation.writeStill(frame));
    yield { ...orientRaster(canvas.show(frame, pixels), orientation), durationMs: frame.durationMs };
  }
}
