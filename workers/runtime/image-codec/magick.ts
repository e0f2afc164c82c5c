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

/**
 * Returns ImageMagick's name of a format.
 * @throws RangeError where it knows none
 */
export function magickFormat(
  { MagickFormat }: Magick,
  format: string,
): import('@imagemagick/magick-wasm').MagickFormat {
  const name = Object.values(MagickFormat).find((each) => each === format.toUpperCase());
  if (!name) throw new RangeError(`ImageMagick knows no format ${format}.`);
  return name;
}
