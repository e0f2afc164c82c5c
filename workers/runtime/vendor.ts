/**
 * Files of packages that no bundler takes in. The build copies them below `public/vendor`, so that everything comes
 * from our own origin; version and path are one, so that script and wasm never drift apart.
 */
export interface VendorFile {
  readonly packageName: string;
  readonly version: string;
  /** Inside the package. */
  readonly path: string;
  /** Its size, uncompressed: what a compressed answer does not tell. */
  readonly bytes: number;
}

const MAGICK = { packageName: '@imagemagick/magick-wasm', version: '0.0.43' };
const FFMPEG = { packageName: '@ffmpeg/core-mt', version: '0.12.10' };

export const VENDOR_FILES = {
  magickWasm: { ...MAGICK, path: 'dist/x86/magick.wasm', bytes: 14_828_458 },
  ffmpegCore: { ...FFMPEG, path: 'dist/esm/ffmpeg-core.js', bytes: 128_947 },
  ffmpegWasm: { ...FFMPEG, path: 'dist/esm/ffmpeg-core.wasm', bytes: 32_718_323 },
  ffmpegWorker: { ...FFMPEG, path: 'dist/esm/ffmpeg-core.worker.js', bytes: 2_115 },
} as const satisfies Record<string, VendorFile>;

/** Path of the file on our origin: `/vendor/<package>-<version>/<file name>`. */
export function vendorPath({ packageName, version, path }: VendorFile): string {
  const folder = packageName.replace(/^@/, '').replace('/', '-');
  return `/vendor/${folder}-${version}/${path.slice(path.lastIndexOf('/') + 1)}`;
}
