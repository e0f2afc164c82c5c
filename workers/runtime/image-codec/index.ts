import type { ImageCodec } from '../../../models/core/runtime/image-codec.ts';
import { createImageCodecOn } from '../../../models/media/image/codec/image-codec.ts';
import { KeptSamples } from '../../../models/media/image/heif/kept-samples.ts';
import type { Libheif } from '../../../models/media/image/heif/libheif.ts';
import type { Loading } from '../assets.ts';
import { webCodecsSequences } from './decode-sequence.ts';
import { wasmLibvips } from './wasm-libvips.ts';
import { loadHevcEncoder } from './x265.ts';
import { deflate, inflateWithin } from './zlib.ts';

/** A photo of 48 megapixels, or four of 12. */
const heicSamples = new KeptSamples(160_000_000);

/** Creates the image codec for a browser's worker. Its engines load on first use. */
export function createImageCodec(loading: Loading): ImageCodec {
  return createImageCodecOn({
    loadLibvips: () => wasmLibvips(loading),
    loadLibheif,
    heicSamples,
    loadHevcEncoder: () => loadHevcEncoder(loading),
    hevcScale: 'wasm-x265',
    deflate,
    inflate: inflateWithin,
    sequences: webCodecsSequences,
  });
}

async function loadLibheif(): Promise<Libheif> {
  const { default: createLibheif } = await import('libheif-js/libheif-wasm/libheif-bundle.mjs');
  return createLibheif({ print() {}, printErr() {} }) as Libheif;
}
