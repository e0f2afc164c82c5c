import { expose } from 'comlink';
import type { EncodeOptions } from '../../../models/core/runtime/image-codec.ts';
import { createProgressMeter } from '../../../models/core/runtime/progress.ts';
import { getPicture } from '../../../models/kernels/raster/picture.ts';
import type { ImageFormat } from '../../../models/media/image/formats.ts';
import { encodeHeic } from '../../../models/media/image/heif/encode-heic.ts';
import type { ScaledEncoder } from '../../../models/media/image/quality/quality-tables.ts';
import { encodeOnCanvas } from '../../../workers/runtime/image-codec/encode-on-canvas.ts';
import { encodeWithMagick } from '../../../workers/runtime/image-codec/encode-with-magick.ts';
import { loadMagick } from '../../../workers/runtime/image-codec/magick.ts';
import { loadHevcEncoder } from '../../../workers/runtime/image-codec/x265.ts';

export type BrowserEncoder = Exclude<ScaledEncoder, 'sharp-webp' | 'sharp-avif' | 'node-x265'>;

const { signal } = new AbortController();
const loading = { signal, meter: createProgressMeter(() => {}) };

const ENCODERS = {
  /** Encodes opaque RGBA samples at an encoder's own setting. */
  async encode(name: BrowserEncoder, url: string, size: { width: number; height: number }, setting: number) {
    const data = new Uint8Array(await (await fetch(url)).arrayBuffer());
    const picture = getPicture({ ...size, data }, { hasAlpha: false, metadata: {} });
    switch (name) {
      case 'canvas-webp':
        return new Blob([(await encodeOnCanvas(picture, 'webp', getOptions('webp', setting))) ?? '']);
      case 'magick-webp':
      case 'magick-avif': {
        const options = getOptions(name === 'magick-webp' ? 'webp' : 'avif', setting);
        return new Blob([await encodeWithMagick(picture, options, await loadMagick(loading))]);
      }
      case 'wasm-x265':
        return new Blob(
          await encodeHeic(picture, getOptions('heic', 100), setting, await loadHevcEncoder(loading)),
        );
    }
  },
};
export type Encoders = typeof ENCODERS;

function getOptions(format: ImageFormat, quality: number): EncodeOptions {
  return { format, quality, background: [255, 255, 255], metadata: {}, signal };
}

expose(ENCODERS);
