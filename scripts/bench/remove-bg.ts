import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { ImageCodec } from '../../models/image-codec.ts';
import { ProviderChain } from '../../models/inference/provider-chain.ts';
import type { Inference, Session } from '../../models/inference.ts';
import { removeBg } from '../../models/remove-bg/operation.ts';
import { readRaster } from '../../models/remove-bg/pixels.ts';
import { onnxProvider } from '../../server/runtime/inference/onnx-provider.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';
import { isnetStandIn } from './isnet-stand-in.ts';
import { median, ms, ratio, report } from './measure.ts';
import { photoJpeg } from './pictures.ts';

const ROUNDS = 2;
const WIDTH = 4032;
const HEIGHT = 3024;
const FORMATS = ['png', 'webp', 'jpeg'] as const;
/** Of the session's own time: what everything around it may take. */
const SHARE_MAX = 0.25;
const SIGNAL = new AbortController().signal;
const OWN_WEIGHTS = fileURLToPath(new URL('../../models/weights/matte.onnx', import.meta.url));

/**
 * What cutting a subject out of a 12-megapixel photo costs around the network's own run: with the network of the package,
 * and with one as large as those of the hub.
 */
export async function benchRemoveBg(): Promise<void> {
  const photo = new Blob([await subjectJpeg()]);
  const { model, gigaMacs } = isnetStandIn();
  const own = new Uint8Array(await readFile(OWN_WEIGHTS));
  await benchEngine('matte', 'our own network', own, photo);
  await benchEngine('isnet-general-use', `a network like IS-Net, ${gigaMacs.toFixed(0)} GMAC`, model, photo);
}

/** A red disc with a soft edge, which the stand-in finds, before a photo. */
async function subjectJpeg(): Promise<Uint8Array<ArrayBuffer>> {
  const disc = `<svg width="${WIDTH}" height="${HEIGHT}">
    <radialGradient id="soft"><stop offset="92%" stop-color="#e01020"/><stop offset="100%" stop-color="#e01020" stop-opacity="0"/></radialGradient>
    <circle cx="2000" cy="1500" r="1040" fill="url(#soft)"/>
  </svg>`;
  const jpeg = await sharp(await photoJpeg(WIDTH, HEIGHT))
    .composite([{ input: Buffer.from(disc) }])
    .jpeg({ quality: 90 })
    .toBuffer();
  return new Uint8Array(jpeg);
}

async function benchEngine(engine: string, name: string, model: Uint8Array<ArrayBuffer>, photo: Blob) {
  const session = await ProviderChain.open([onnxProvider('cpu', async () => model)], SIGNAL);
  try {
    for (const format of FORMATS) {
      const rounds: Spans[] = [];
      // The first round warms up.
      for (let round = 0; round <= ROUNDS; round++)
        rounds.push(await timeRun(session, engine, format, photo));
      tell(`remove-bg 12 MP JPEG -> ${format}, ${name}`, rounds.slice(1));
    }
  } finally {
    await session.release();
  }
}

/** What a piece of work took. CPU time is of all threads together, and other work on the machine does not stretch it. */
interface Span {
  readonly cpuMs: number;
  readonly wallMs: number;
}

type Part = 'whole' | 'decode' | 'session' | 'encode';
type Spans = Readonly<Record<Part, Span>>;

/** Does a piece of work and keeps what it took. */
async function timed<Result>(
  spans: Partial<Record<Part, Span>>,
  part: Part,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAtMs = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  spans[part] = { cpuMs: (user + system) / 1000, wallMs: performance.now() - startedAtMs };
  return result;
}

async function timeRun(session: Session, engine: string, format: string, photo: Blob): Promise<Spans> {
  const spans: Partial<Record<Part, Span>> = {};
  const watched: Session = {
    inputs: session.inputs,
    outputs: session.outputs,
    run: (feeds, signal) => timed(spans, 'session', () => session.run(feeds, signal)),
  };
  const inference: Inference = {
    availability: async ({ id }) => (id === engine ? 'ready' : 'unavailable'),
    use: (_card, _options, work) => work(watched),
  };
  const runtime = createNodeRuntime({ signal: SIGNAL, inference });
  const images: ImageCodec = {
    decode: runtime.images.decode,
    encode: (picture, options) => timed(spans, 'encode', () => runtime.images.encode(picture, options)),
  };
  await timed(spans, 'decode', () => readRaster(photo, runtime));
  const params = { output_format: format };
  await timed(spans, 'whole', () => removeBg.execute(photo, params, { ...runtime, images }));
  return spans as Spans;
}

function tell(name: string, rounds: readonly Spans[]): void {
  const middle = (part: Part, of: keyof Span) => median(rounds.map((spans) => spans[part][of]));
  const cpu = (part: Part) => middle(part, 'cpuMs');
  const around = cpu('whole') - cpu('session');
  const share = (of: keyof Span) => ratio(middle('whole', of) - middle('session', of), middle('session', of));
  report(name, {
    'CPU of session': ms(cpu('session')),
    around: `${ms(around)}, ${share('cpuMs')} of it (at most ${SHARE_MAX})`,
    decode: ms(cpu('decode')),
    'resize, refine, cut out': ms(around - cpu('decode') - cpu('encode')),
    encode: ms(cpu('encode')),
    'by the clock': `${ms(middle('session', 'wallMs'))}, around ${share('wallMs')} of it`,
  });
}
