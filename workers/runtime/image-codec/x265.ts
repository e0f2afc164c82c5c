import { OperationError } from '../../../models/core/operation/errors.ts';
import type { EncodeHevcStill } from '../../../models/media/image/heif/encode-heic.ts';
import { ASSETS, type Loading, loadWasm } from '../assets.ts';
import { canShareMemory } from '../shared-memory.ts';

/** The part of ffmpeg.wasm's core that we use: a small file system and the program. */
interface FfmpegCore {
  readonly FS: {
    writeFile(path: string, data: Uint8Array): void;
    readFile(path: string): Uint8Array;
    unlink(path: string): void;
  };
  setLogger(log: (line: { message: string }) => void): void;
  exec(...args: readonly string[]): number;
}

/**
 * The fastest preset that splits blocks down to 8 samples: ultrafast writes a tenth to a fifth more bytes for the same
 * SSIM.
 */
const PRESET = 'superfast';

/**
 * Fewer trials than the preset makes, in a build without assembly: blocks are weighed by their residual alone, which
 * costs no byte for the same SSIM, and transforms have at most 16 samples a side, which costs 1 % of bytes for a
 * photograph with fine detail and 6 % for a smooth one. Together they save 27 % of the processor time.
 */
const FEWER_TRIALS = 'rd=1:max-tu-size=16';

/** Below this rate factor fewer trials cost up to a fifth more bytes for the same SSIM. */
const FEWER_TRIALS_FROM = 18;

/** More threads have crashed this build. */
const THREADS = '2';

const INPUT = 'samples';
const OUTPUT = 'still.hevc';

const FORMATS = {
  colour: {
    input: 'yuvj420p',
    output: [
      ...['-pix_fmt', 'yuvj420p'],
      ...['-color_range', 'pc', '-colorspace', 'smpte170m', '-color_primaries', 'bt709'],
      ...['-color_trc', 'iec61966-2-1', '-profile:v', 'mainstillpicture'],
    ],
  },
  alpha: { input: 'gray', output: ['-pix_fmt', 'gray', '-color_range', 'pc'] },
} as const;

/** One instance per worker: its threads and memory are freed only with the worker. */
let loaded: Promise<FfmpegCore> | undefined;

/**
 * Loads the x265 of ffmpeg.wasm. Its threads share memory, which requires cross-origin isolation.
 * @throws OperationError `unavailable` on a page that is not cross-origin isolated
 */
export async function loadHevcEncoder(loading: Loading): Promise<EncodeHevcStill> {
  if (!canShareMemory()) {
    throw new OperationError(
      'unavailable',
      'to_format: heic needs SharedArrayBuffer, which this page cannot use. Choose another format, or run it on the server.',
      { kind: 'not_written' },
    );
  }
  loaded ??= loadCore(loading).catch((thrown) => {
    loaded = undefined;
    throw thrown;
  });
  const core = await loaded;
  return (source, constantRateFactor) => {
    const { input, output } = FORMATS[source.kind];
    let lastLine = '';
    core.setLogger(({ message }) => {
      lastLine = message;
    });
    core.FS.writeFile(INPUT, source.samples);
    const trials = constantRateFactor >= FEWER_TRIALS_FROM ? `:${FEWER_TRIALS}` : '';
    const code = core.exec(
      ...['-f', 'rawvideo', '-pixel_format', input, '-video_size', `${source.width}x${source.height}`],
      ...['-i', INPUT, '-frames:v', '1', '-c:v', 'libx265', '-preset', PRESET, '-threads', THREADS],
      ...output,
      ...['-crf', String(constantRateFactor), '-x265-params', `log-level=none:info=0:keyint=1${trials}`],
      ...['-f', 'hevc', OUTPUT],
    );
    core.FS.unlink(INPUT);
    if (code !== 0) {
      throw new OperationError('unavailable', `Writing HEIC failed on this device: ${lastLine || code}.`, {
        kind: 'not_written',
      });
    }
    const stream = core.FS.readFile(OUTPUT);
    core.FS.unlink(OUTPUT);
    return stream;
  };
}

async function loadCore(loading: Loading): Promise<FfmpegCore> {
  const [script, wasm] = await Promise.all([
    import(/* turbopackIgnore: true */ ASSETS.ffmpegCore.url),
    loadWasm(ASSETS.ffmpegWasm, loading),
  ]);
  const urls = { wasmURL: ASSETS.ffmpegWasm.url, workerURL: ASSETS.ffmpegWorker.url };
  return new Promise<FfmpegCore>((done, failed) => {
    // The core waits for the instance for ever, so a failure to make one has to be passed by it.
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      use: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) => {
      WebAssembly.instantiate(wasm, imports)
        .then((instance) => use(instance, wasm))
        .catch((cause) => failed(notStarted(cause)));
      return {};
    };
    const mainScriptUrlOrBlob = `${ASSETS.ffmpegCore.url}#${btoa(JSON.stringify(urls))}`;
    script.default({ mainScriptUrlOrBlob, instantiateWasm }).then(done, failed);
  });
}

function notStarted(cause: unknown): OperationError {
  return new OperationError(
    'unavailable',
    'to_format: heic could not start its encoder on this device. Choose another format, or run it on the server.',
    { kind: 'not_written', cause },
  );
}
