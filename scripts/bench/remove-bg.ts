import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { ProviderChain } from '../../models/inference/provider-chain.ts';
import { onnxProvider } from '../../server/runtime/inference/onnx-provider.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';
import { isnetStandIn } from './isnet-stand-in.ts';
import { median, ms, ratio, report } from './measure.ts';
import { photoJpeg } from './pictures.ts';
import { type Part, type RemovalRequest, type Span, type Spans, timeRemoval } from './removal-spans.ts';

const ROUNDS = 5;
const WIDTH = 4032;
const HEIGHT = 3024;
const FORMATS = ['png', 'webp', 'jpeg'] as const;
/** Limit on everything around the session, as a share of the session's own time. */
const SHARE_MAX = 0.25;
const SIGNAL = new AbortController().signal;
const OWN_WEIGHTS = fileURLToPath(new URL('../../models/weights/matte.onnx', import.meta.url));

/**
 * Measures the cost around the model's own run for a 12-megapixel photo: with the bundled model, and with one as
 * large as the hub's, that one in the browser too.
 */
export async function benchRemoveBg(): Promise<void> {
  const photo = new Blob([await subjectJpeg()]);
  const { model, gigaMacs } = isnetStandIn();
  const own = new Uint8Array(await readFile(OWN_WEIGHTS));
  await benchEngine('matte', 'our own network', own, photo);
  const large = ['isnet-general-use', `a network like IS-Net, ${gigaMacs.toFixed(0)} GMAC`, model] as const;
  await benchEngine(...large, photo);
  await benchTab(...large, photo);
}

/** Draws a red disc with a soft edge, which the stand-in finds, on a photo. */
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
  const runtime = createNodeRuntime({ signal: SIGNAL });
  try {
    for (const format of FORMATS) {
      const rounds: Spans[] = [];
      // The first round warms up.
      for (let round = 0; round <= ROUNDS; round++) {
        rounds.push(await timeRemoval(runtime, { session, engine, format, photo, clock }));
      }
      tell(`remove-bg 12 MP JPEG -> ${format}, ${name}`, rounds.slice(1));
    }
  } finally {
    await session.release();
  }
}

/** Measures wasm in Chromium: one run per format, with a first visitor's costs. */
async function benchTab(engine: string, name: string, model: Uint8Array<ArrayBuffer>, photo: Blob) {
  // After the server's part, whose runner has no browser in its heap.
  const { openWorkerPage } = await import('../support/worker-page.ts');
  const page = await openWorkerPage();
  try {
    const request: RemovalRequest = {
      modelUrl: await page.put(new Blob([model])),
      photoUrl: await page.put(photo),
      engine,
      formats: FORMATS,
    };
    const spans = await page.page.evaluate<Spans[] | string>(`new Promise((resolve) => {
      const worker = new Worker('/removal.worker.js', { type: 'module' });
      worker.addEventListener('message', ({ data }) => resolve(data));
      worker.addEventListener('error', ({ message }) => resolve(message));
      worker.postMessage(${JSON.stringify(request)});
    })`);
    if (typeof spans === 'string') throw new Error(spans);
    for (const [at, format] of FORMATS.entries()) {
      tell(`remove-bg in the tab, 12 MP JPEG -> ${format}, ${name}`, spans.slice(at, at + 1));
    }
  } finally {
    await page.stop();
  }
}

function clock(): Span {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() };
}

/** Prints figures by CPU time where available, and by wall time. */
function tell(name: string, rounds: readonly Spans[]): void {
  const middle = (part: Part, of: keyof Span) => median(rounds.map((spans) => spans[part][of] ?? Number.NaN));
  const main = rounds.every(({ whole }) => whole.cpuMs !== undefined) ? 'cpuMs' : 'wallMs';
  const took = (part: Part) => middle(part, main);
  const around = took('whole') - took('session');
  const share = (of: keyof Span) => ratio(middle('whole', of) - middle('session', of), middle('session', of));
  report(name, {
    [main === 'cpuMs' ? 'CPU of session' : 'session']: ms(took('session')),
    around: `${ms(around)}, ${share(main)} of it (at most ${SHARE_MAX})`,
    decode: ms(took('decode')),
    'resize, refine, cut out': ms(around - took('decode') - took('encode')),
    encode: ms(took('encode')),
    ...(main === 'cpuMs' && {
      'by the clock': `${ms(middle('session', 'wallMs'))}, around ${share('wallMs')} of it`,
    }),
  });
}
