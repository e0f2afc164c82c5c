// Written by `npm run generate` from the weights' cards. Do not edit.
import { type Asset, asset } from './assets.ts';

/** Weights that ship with the page, by file name. */
export const BUNDLED_WEIGHTS: Readonly<Record<string, Asset>> = {
  'matte.onnx': asset(new URL('../../models/weights/matte.onnx', import.meta.url), 5318797),
  'nsfw-mobilenet.onnx': asset(new URL('../../models/weights/nsfw-mobilenet.onnx', import.meta.url), 2791924),
  'overlap.onnx': asset(new URL('../../models/weights/overlap.onnx', import.meta.url), 536863),
  'silero-vad.onnx': asset(new URL('../../models/weights/silero-vad.onnx', import.meta.url), 2327524),
  'speakers.onnx': asset(new URL('../../models/weights/speakers.onnx', import.meta.url), 2647844),
  'stems.onnx': asset(new URL('../../models/weights/stems.onnx', import.meta.url), 6299632),
  'upscale-fast-x2.onnx': asset(new URL('../../models/weights/upscale-fast-x2.onnx', import.meta.url), 92453),
  'upscale-restore-x2.onnx': asset(new URL('../../models/weights/upscale-restore-x2.onnx', import.meta.url), 524055),
  'upscale-x2.onnx': asset(new URL('../../models/weights/upscale-x2.onnx', import.meta.url), 524055),
  'upscale-x4.onnx': asset(new URL('../../models/weights/upscale-x4.onnx', import.meta.url), 558907),
};
