import type { ImageFormat } from '../../../models/core/runtime/image-codec.ts';
import { ASSETS, type Loading, loadWasm } from '../loading/assets.ts';

export type Magick = typeof import('@imagemagick/magick-wasm');

let loaded: Promise<Magick> | undefined;

/** Loads ImageMagick on first use. It has 8 bits per sample and one thread, so it comes last. */
export function loadMagick(loading: Loading): Promise<Magick> {
  loaded ??= load(loading).catch((cause: unknown) => {
    loaded = undefined;
    throw cause;
  });
  return loaded;
}

async function load(loading: Loading): Promise<Magick> {
  const [magick, wasm] = await Promise.all([
    import('@imagemagick/magick-wasm'),
    loadWasm(ASSETS.magickWasm, loading),
  ]);
  await magick.initializeImageMagick(wasm);
  return magick;
}

/** Returns ImageMagick's name of a format. */
export function magickFormat(
  { MagickFormat }: Magick,
  format: ImageFormat,
): import('@imagemagick/magick-wasm').MagickFormat {
  const names = {
    jpeg: MagickFormat.Jpeg,
    png: MagickFormat.Png,
    webp: MagickFormat.WebP,
    gif: MagickFormat.Gif,
    bmp: MagickFormat.Bmp,
    tiff: MagickFormat.Tiff,
    avif: MagickFormat.Avif,
    heic: MagickFormat.Heic,
  } as const;
  return names[format];
}
