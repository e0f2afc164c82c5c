import type VipsModule from 'wasm-vips';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Geometry, ImageSize, Rgba } from '../../../models/core/runtime/raster.ts';
import { isWhole } from '../../../models/kernels/raster/transform-picture.ts';
import type { Bytes } from '../../../models/media/bytes/byte-writer.ts';
import type {
  FileSource,
  Libvips,
  LibvipsHead,
  LibvipsPlan,
  LibvipsWriting,
  SampleSource,
} from '../../../models/media/image/codec/libvips.ts';
import { ASSETS, type Loading, loadWasm } from '../assets.ts';
import '../hold-workers.ts';
import { canShareMemory } from '../shared-memory.ts';

type Image = VipsModule.Image;

/** libvips, and what our build adds to its glue. */
type Vips = NonNullable<typeof VipsModule> & {
  /** Ends its threads. */
  end(): void;
  getHeapBytes(): number;
};

/** The part of libvips that reads and writes AVIF. */
const HEIF = 'vips-heif.wasm';

/** Time for a start, which takes tenths of a second: where threads cannot start it would never end. */
const START_MS = 20_000;

/** Heap from which on an instance ends with its work: memory of WebAssembly never shrinks. */
const KEPT_BYTES_MAX = 600_000_000;

/** Loaders of the formats that we leave to libvips. All others stay blocked. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'];

/** Side of an image that is written for trial, and the time for it: some browsers take a hundred times as long. */
const TRIAL = { side: 512, ms: 3_000 };

/** Shrink factors of libjpeg, largest first. */
const JPEG_SHRINKS = [8, 4, 2];

const JPEG_START = 0xff_d8;

let compiled: Promise<WebAssembly.Module> | undefined;

let started: Promise<Vips> | undefined;

/** libvips in a browser's worker: wasm-vips carries the plans out, with the steps and defaults of sharp. */
export function wasmLibvips(loading: Loading): Libvips {
  return {
    readHead: (file, pages = 'first') =>
      use(loading, (vips, keep) => toHead(load(vips, keep, file, pages === 'all' ? { n: -1 } : {}))),
    render: (plan) => use(loading, (vips, keep) => new Rendering(vips, keep).run(plan)),
  };
}

/** Options of loaders. Each loader has some of them, which the types of the package leave out. */
interface LoadOptions {
  readonly access?: 'sequential';
  readonly fail_on?: FileSource['failOn'];
  /** Pages from the first on; -1 for all. */
  readonly n?: number;
  readonly page?: number;
  readonly shrink?: number;
}

/** Takes an image that is to be deleted with the others of its work. */
type Keep = (image: Image) => Image;

/** Opens a file: of HEIF, as sharp does, the primary image unless pages are named. */
function load(vips: Vips, keep: Keep, file: Bytes, options: LoadOptions): Image {
  const image: Image = keep(vips.Image.newFromBuffer(file, '', options));
  const areNamed = options.n !== undefined || options.page !== undefined;
  const primary = areNamed || image.getTypeof('heif-primary') === 0 ? 0 : image.getInt('heif-primary');
  return primary === 0 ? image : load(vips, keep, file, { ...options, page: primary });
}

async function use<Result>(loading: Loading, work: (vips: Vips, keep: Keep) => Result): Promise<Result> {
  started ??= start(loading).catch((thrown) => {
    started = undefined;
    throw thrown;
  });
  const vips = await started;
  loading.signal.throwIfAborted();
  const images: Image[] = [];
  try {
    return work(vips, (image) => {
      images.push(image);
      return image;
    });
  } catch (thrown) {
    throw toError(thrown);
  } finally {
    for (const image of images) image.delete();
    if (vips.getHeapBytes() > KEPT_BYTES_MAX) {
      started = undefined;
      vips.end();
    }
  }
}

async function start(loading: Loading): Promise<Vips> {
  if (!canShareMemory()) throw notRunning('this page cannot use SharedArrayBuffer');
  compiled ??= loadWasm(ASSETS.vipsWasm, loading).catch((thrown) => {
    compiled = undefined;
    throw thrown;
  });
  const [wasm, { default: createVips }] = await Promise.all([
    compiled,
    import(/* turbopackIgnore: true */ ASSETS.vips.url),
  ]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const vips = await new Promise<Vips>((done, failed) => {
    timer = setTimeout(() => failed(notRunning('it does not start')), START_MS);
    createVips({
      dynamicLibraries: [HEIF],
      locateFile: (name: string) => (name === HEIF ? ASSETS.vipsHeif : ASSETS.vipsWasm).url,
      mainScriptUrlOrBlob: ASSETS.vips.url,
      instantiateWasm(imports: WebAssembly.Imports, accept: (...made: unknown[]) => void) {
        // The glue waits for the instance for ever, so a failure to make one has to be passed by it.
        WebAssembly.instantiate(wasm, imports).then((instance) => accept(instance, wasm), failed);
        return {};
      },
      print() {},
      printErr() {},
    }).then(done, failed);
  })
    .catch((cause) => {
      throw cause instanceof OperationError ? cause : notRunning('it cannot be started', cause);
    })
    .finally(() => clearTimeout(timer));
  vips.Cache.max(0);
  vips.operationBlock('VipsForeignLoad', true);
  for (const loader of LOADERS) vips.operationBlock(`VipsForeignLoad${loader}`, false);
  assertQuick(vips);
  return vips;
}

function assertQuick(vips: Vips): void {
  const started = performance.now();
  const image = vips.Image.black(TRIAL.side, TRIAL.side, { bands: 3 });
  image.webpsaveBuffer();
  image.delete();
  if (performance.now() - started > TRIAL.ms) throw notRunning('it is too slow here');
}

function notRunning(reason: string, cause?: unknown): OperationError {
  return new OperationError(
    'unavailable',
    `The image engine cannot run in this browser: ${reason}. Run it on the server.`,
    { kind: 'no_codecs', cause },
  );
}

/** Makes an error of what the compiled code throws: its type, and the lines of its message. */
function toError(thrown: unknown): unknown {
  if (thrown instanceof OperationError) return thrown;
  const { message } = thrown as { readonly message?: unknown };
  const text = String(Array.isArray(message) ? message[1] : message);
  if (isOutOfMemory(thrown, text))
    return new OperationError(
      'unavailable',
      'The image needs more memory than this browser has for it. Run it on the server.',
      { kind: 'too_large_for_browser', cause: thrown },
    );
  // What libvips tried in vain before it succeeded.
  return new Error(text.replaceAll(/^.*bad seek to \d+\n/gm, ''));
}

function isOutOfMemory(thrown: unknown, text: string): boolean {
  return (
    thrown instanceof RangeError ||
    thrown instanceof WebAssembly.RuntimeError ||
    /out of memory|bad_alloc|enlarge memory/i.test(text)
  );
}

function toHead(image: Image): LibvipsHead {
  const has = (name: string): boolean => image.getTypeof(name) !== 0;
  return {
    width: image.width,
    height: image.height,
    pageHeight: has('page-height') ? image.getInt('page-height') : undefined,
    pages: has('n-pages') ? image.getInt('n-pages') : 1,
    loopCount: has('loop') ? image.getInt('loop') : 0,
    delaysMs: has('delay') ? [...image.getArrayInt('delay')] : [],
    hasAlpha: image.hasAlpha(),
    depth: String(image.format),
    isOnSide: orientationOf(image) > 4,
  };
}

function orientationOf(image: Image): number {
  return image.getTypeof('orientation') === 0 ? 1 : image.getInt('orientation');
}

function isDeep({ interpretation }: Image): boolean {
  return interpretation === 'rgb16' || interpretation === 'grey16';
}

/** One plan, carried out in the steps of sharp's pipeline, so that the result is the same. */
class Rendering {
  readonly #vips: Vips;
  readonly #keep: Keep;

  constructor(vips: Vips, keep: Keep) {
    this.#vips = vips;
    this.#keep = keep;
  }

  run(plan: LibvipsPlan): Bytes {
    const { source, background, alpha, depth, isDeepProfiled, write } = plan;
    const keep = this.#keep;
    let image = source.kind === 'file' ? this.#openFile(source, plan) : this.#openSamples(source);
    const pageHeight = image.getTypeof('page-height') ? image.getInt('page-height') : image.height;
    const processing = image.interpretation === 'rgb16' ? 'p3' : 'srgb';
    if (source.kind === 'file') image = this.#toProfile(image, processing, source);
    image = this.#shape(image, plan);
    if (background) image = this.#flatten(image, background);
    while (alpha === 'dropped' && image.bands > 1 && image.hasAlpha())
      image = keep(image.extractBand(0, { n: image.bands - 1 }));
    if (alpha === 'added' && !image.hasAlpha()) image = keep(image.bandjoin(isDeep(image) ? 65_535 : 255));
    if (isDeep(image)) image = keep(image.cast('ushort'));
    const space = depth === 16 ? 'rgb16' : 'srgb';
    if (image.interpretation !== space)
      image = keep(image.colourspace(space, { source_space: image.interpretation }));
    if (isDeepProfiled) {
      const options = { input_profile: processing, embedded: true, depth, intent: 'perceptual' };
      image = keep(image.iccTransform('srgb', options));
    }
    image = keep(image.copy());
    const isMany = source.kind === 'file' ? (source.pages ?? 1) > 1 : source.pageHeight < source.height;
    setTiming(image, write, isMany ? pageHeight : image.height);
    const bytes = this.#save(image, write, depth);
    return new Uint8Array(bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice());
  }

  #openFile({ file, pages = 1, page, pixelsMax, failOn }: FileSource, plan: LibvipsPlan): Image {
    if (typeof file === 'string') throw new RangeError('A browser has no files.');
    const range = { ...(pages > 1 && { n: pages }), ...(page !== undefined && { page }) };
    const options: LoadOptions = { access: 'sequential', fail_on: failOn, ...range };
    const image = load(this.#vips, this.#keep, file, options);
    if (pixelsMax !== undefined && image.width * image.height > pixelsMax)
      throw new Error('Input image exceeds pixel limit');
    if (pages > 1 && orientationOf(image) > 1)
      throw new Error('Rotate is not supported for multi-page images');
    const target = plan.geometry?.crop ? undefined : sizeAsStored(plan, image);
    if (!target || !isJpeg(file)) return image;
    const shrink = shrinkOnLoad(Math.min(image.width / target.width, image.height / target.height));
    return shrink > 1 ? load(this.#vips, this.#keep, file, { ...options, shrink }) : image;
  }

  #openSamples({ data, width, height, pageHeight }: SampleSource): Image {
    const is16Bit = data instanceof Uint16Array;
    const format = this.#vips.BandFormat[is16Bit ? 'ushort' : 'uchar'];
    const raw = this.#keep(this.#vips.Image.newFromMemory(data, width, height, 4, format));
    const image = this.#keep(raw.copy({ interpretation: is16Bit ? 'rgb16' : 'srgb' }));
    if (pageHeight < height) image.setInt('page-height', pageHeight);
    return image;
  }

  /** Turns an image upright, and changes its size or geometry, with alpha premultiplied while samples are mixed. */
  #shape(image: Image, plan: LibvipsPlan): Image {
    const keep = this.#keep;
    const { geometry } = plan;
    let shaped = image;
    if (geometry?.crop) {
      const { left, top, width, height } = geometry.crop;
      shaped = keep(this.#upright(shaped).extractArea(left, top, width, height));
    }
    if (geometry?.background) shaped = this.#flatten(shaped, toLevels(geometry.background).slice(0, 3));
    const target = sizeAsStored(plan, shaped);
    const isResized = target && (target.width !== shaped.width || target.height !== shaped.height);
    const { format } = shaped;
    const isWeighted = isResized && shaped.hasAlpha();
    if (isWeighted) shaped = keep(keep(shaped.premultiply()).cast(format));
    if (isResized) {
      const [scale, vscale] = [target.width / shaped.width, target.height / shaped.height];
      shaped = keep(shaped.resize(scale, { vscale, kernel: geometry ? 'lanczos3' : 'linear' }));
    }
    shaped = this.#upright(shaped);
    if (geometry) shaped = this.#turnAndPlace(shaped, geometry, isWeighted ?? false);
    return isWeighted ? keep(keep(shaped.unpremultiply()).cast(format)) : shaped;
  }

  #turnAndPlace(
    image: Image,
    { orientation, scaled, kept, canvas, pad }: Geometry,
    isWeighted: boolean,
  ): Image {
    const keep = this.#keep;
    const { quarterTurns, isMirrored } = orientation;
    let placed = image;
    if (isMirrored) placed = keep(placed.flipHor());
    const turns = isMirrored ? (4 - quarterTurns) % 4 : quarterTurns;
    if (turns > 0) placed = keep(keep(placed.copyMemory()).rot(`d${turns * 90}`));
    if (!isWhole(kept, scaled))
      placed = keep(placed.extractArea(kept.left, kept.top, kept.width, kept.height));
    if (isWhole(kept, canvas)) return placed;
    if (placed.bands < 3) placed = keep(placed.colourspace('srgb'));
    const [red, green, blue, alpha] = toLevels(pad);
    if (alpha < 255 && !placed.hasAlpha()) placed = keep(placed.bandjoin(255));
    const share = isWeighted ? alpha / 255 : 1;
    const colour = [red * share, green * share, blue * share, ...(placed.hasAlpha() ? [alpha] : [])];
    const { left, top, width, height } = canvas;
    return keep(placed.embed(left, top, width, height, { extend: 'background', background: colour }));
  }

  #upright(image: Image): Image {
    return orientationOf(image) === 1 ? image : this.#keep(this.#keep(image.copyMemory()).autorot());
  }

  #flatten(image: Image, background: readonly number[]): Image {
    if (!image.hasAlpha()) return image;
    const scale = isDeep(image) ? 256 : 1;
    return this.#keep(image.flatten({ background: background.map((sample) => sample * scale) }));
  }

  /** Converts from the profile of a file. One that is damaged counts as none. */
  #toProfile(image: Image, profile: string, { keepsProfile }: FileSource): Image {
    const { interpretation } = image;
    const hasProfile = image.getTypeof('icc-profile-data') !== 0;
    if (hasProfile && !keepsProfile && interpretation !== 'labs' && interpretation !== 'grey16') {
      try {
        const options = { embedded: true, depth: isDeep(image) ? 16 : 8, intent: 'perceptual' } as const;
        return this.#keep(image.iccTransform(profile, options));
      } catch {
        return image;
      }
    }
    if (interpretation !== 'cmyk') return image;
    return this.#keep(image.iccTransform(profile, { input_profile: 'cmyk', intent: 'perceptual' }));
  }

  #readSamples(image: Image, format: 'uchar' | 'ushort'): Uint8Array {
    const samples = image.format === format ? image : this.#keep(image.cast(format));
    const { buffer, byteOffset, byteLength } = samples.writeToMemory();
    return new Uint8Array(buffer, byteOffset, byteLength);
  }

  #save(image: Image, write: LibvipsWriting, depth: 8 | 16): Uint8Array {
    const keep = 'none';
    switch (write.format) {
      case 'raw':
        return this.#readSamples(image, depth === 16 ? 'ushort' : 'uchar');
      case 'jpeg':
        return image.jpegsaveBuffer({
          keep,
          Q: write.quality,
          interlace: write.progressive ?? false,
          subsample_mode: write.chromaSubsampling === '4:4:4' ? 'off' : 'on',
          overshoot_deringing: write.overshootDeringing ?? false,
          optimize_scans: write.optimiseScans ?? false,
          optimize_coding: write.optimiseCoding,
        });
      case 'png':
        return image.pngsaveBuffer({
          keep,
          compression: write.compression,
          filter: write.isFiltered ? 'all' : 'none',
          palette: write.paletteBits !== undefined,
          Q: 100,
          effort: write.paletteEffort,
          bitdepth: depth === 16 ? 16 : (write.paletteBits ?? 8),
          dither: 1,
        });
      case 'webp':
        return image.webpsaveBuffer({
          keep,
          Q: write.quality,
          lossless: write.lossless ?? false,
          near_lossless: write.nearLossless ?? false,
          smart_subsample: write.smartSubsample ?? false,
          effort: write.effort,
          alpha_q: 100,
        });
      case 'gif':
        return image.gifsaveBuffer({
          keep,
          bitdepth: write.paletteBits ?? 8,
          effort: write.effort,
          reuse: true,
          interframe_maxerror: 0,
          interpalette_maxerror: 3,
          dither: 1,
        });
      case 'tiff':
        return image.tiffsaveBuffer({
          keep,
          compression: 'deflate',
          predictor: 'horizontal',
          tile_height: 256,
          xres: 1,
          yres: 1,
          resunit: 'inch',
        });
      case 'avif':
        return image.heifsaveBuffer({
          keep,
          Q: write.quality,
          compression: 'av1',
          effort: write.effort,
          bitdepth: 8,
          tune: 'auto',
          subsample_mode: write.chromaSubsampling === '4:4:4' ? 'off' : 'on',
        });
    }
  }
}

function isJpeg(file: Bytes): boolean {
  return ((file[0] ?? 0) << 8) + (file[1] ?? 0) === JPEG_START;
}

/** Returns the factor by which libjpeg shrinks, leaving at least two to the filter. */
function shrinkOnLoad(shrink: number): number {
  const factor = JPEG_SHRINKS.find((each) => shrink >= each * 2) ?? 1;
  // As in sharp, for known errors of rounding.
  return factor > 1 && Math.trunc(shrink) === factor ? factor / 2 : factor;
}

function setTiming(image: Image, write: LibvipsWriting, pageHeight: number): void {
  const pages = Math.max(1, Math.round(image.height / pageHeight));
  if (pages > 1) {
    image.setInt('page-height', pageHeight);
    image.setInt('n-pages', pages);
  }
  const { loop, delay } = write.format === 'webp' || write.format === 'gif' ? write : {};
  if (delay) image.setArrayInt('delay', [...delay]);
  if (loop !== undefined) image.setInt('loop', loop);
  else if (pages === 1 && !delay) image.setInt('loop', 1);
}

/** Returns the size that a plan scales an image to, as it lies before it is turned. */
function sizeAsStored({ size, geometry }: LibvipsPlan, image: Image): ImageSize | undefined {
  const target = geometry?.scaled ?? size;
  const isOnSide = orientationOf(image) > 4 !== ((geometry?.orientation.quarterTurns ?? 0) % 2 === 1);
  return target && isOnSide ? { width: target.height, height: target.width } : target;
}

/** Returns the parts of a colour as levels of 8 bits. */
function toLevels([red, green, blue, alpha]: Rgba): [number, number, number, number] {
  const [r, g, b] = [red, green, blue].map((part) => Math.round(part * 255));
  return [r, g, b, alpha * 255];
}
