import { expose } from 'comlink';
import type { EncodeOptions } from '../../../models/core/runtime/image-codec.ts';
import { createProgressMeter } from '../../../models/core/runtime/progress.ts';
import { getPicture } from '../../../models/kernels/raster/picture.ts';
import { encodeHeic } from '../../../models/media/image/heif/encode-heic.ts';
import { loadHevcEncoder } from '../../../workers/runtime/image-codec/x265.ts';

const { signal } = new AbortController();
const loading = { signal, meter: createProgressMeter(() => {}) };

const ENCODERS = {
  /** Encodes opaque RGBA samples by x265 at its own setting. The other encoders are those of the server. */
  async encode(url: string, size: { width: number; height: number }, setting: number) {
    const data = new Uint8Array(await (await fetch(url)).arrayBuffer());
    const picture = getPicture({ ...size, data }, { hasAlpha: false, metadata: {} });
    const options: EncodeOptions = {
      format: 'heic',
      quality: 100,
      background: [255, 255, 255],
      metadata: {},
      signal,
    };
    return new Blob(await encodeHeic(picture, options, setting, await loadHevcEncoder(loading)));
  },
};
export type Encoders = typeof ENCODERS;

expose(ENCODERS);
