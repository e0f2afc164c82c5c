import { OperationError } from '../../../models/errors.ts';
import type { EncodeHevcStill } from '../../../models/kernels/heif/encode-heic.ts';
import { ASSETS, type Loading, loadWasm } from '../assets.ts';

/** What we use of ffmpeg.wasm's core: a small file system and the program. */
interface FfmpegCore {
  readonly FS: {
    writeFile(path: string, data: Uint8Array): void;
    readFile(path: string): Uint8Array;
    unlink(path: string): void;
  };
  setLogger(log: (line: { message: string }) => void): void;
  exec(...args: readonly string[]): number;
}

/** More have crashed this build. */
const THREADS = '2';

const INPUT = 'samples';
const OUTPUT = 'still.hevc';

const FORMATS = {
  rgba: {
    input: 'rgba',
    output: [
      ...['-vf', 'scale=flags=bicubic:out_range=full:out_color_matrix=bt601', '-pix_fmt', 'yuvj420p'],
      ...['-color_range', 'pc', '-colorspace', 'smpte170m', '-color_primaries', 'bt709'],
      ...['-color_trc', 'iec61966-2-1', '-profile:v', 'mainstillpicture'],
    ],
  },
  alpha: { input: 'gray', output: ['-pix_fmt', 'gray', '-color_range', 'pc'] },
} as const;

/** Once for each worker: what its threads and its memory hold goes with the worker only. */
let loaded: Promise<FfmpegCore> | undefined;

/**
 * Loads the x265 of ffmpeg.wasm. Its threads share memory, which only an isolated page may do.
 * @throws OperationError `unavailable` on a page that is not cross-origin isolated
 */
export async function loadHevcEncoder(loading: Loading): Promise<EncodeHevcStill> {
  if (!globalThis.crossOriginIsolated) {
    throw new OperationError(
      'unavailable',
      'to_format: heic needs memory that threads share, which this browser does not give this page. Choose another format, or run it on the server.',
    );
  }
  loaded ??= loadCore(loading);
  const core = await loaded;
  return (source, constantRateFactor) => {
    const { input, output } = FORMATS[source.kind];
    let lastLine = '';
    core.setLogger(({ message }) => {
      lastLine = message;
    });
    core.FS.writeFile(INPUT, source.samples);
    const code = core.exec(
      ...['-f', 'rawvideo', '-pixel_format', input, '-video_size', `${source.width}x${source.height}`],
      ...['-i', INPUT, '-frames:v', '1', '-c:v', 'libx265', '-preset', 'ultrafast', '-threads', THREADS],
      ...output,
      ...['-crf', String(constantRateFactor), '-x265-params', 'log-level=none:info=0:keyint=1'],
      ...['-f', 'hevc', OUTPUT],
    );
    core.FS.unlink(INPUT);
    if (code !== 0) {
      throw new OperationError('unavailable', `Writing HEIC failed on this device: ${lastLine || code}.`);
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
  return script.default({
    mainScriptUrlOrBlob: `${ASSETS.ffmpegCore.url}#${btoa(JSON.stringify(urls))}`,
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) {
      void WebAssembly.instantiate(wasm, imports).then((instance) => done(instance, wasm));
      return {};
    },
  });
}
