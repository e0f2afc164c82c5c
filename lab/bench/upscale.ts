import { readFile } from 'node:fs/promises';
import { ProviderChain } from '../../models/core/inference/provider-chain.ts';
import type { Session } from '../../models/core/runtime/inference.ts';
import { createReport } from '../../models/operations/upscale/enlarge-planes.ts';
import { FrameEnlarger } from '../../models/operations/upscale/frame-enlarger.ts';
import { UPSCALERS } from '../../models/operations/upscale/upscalers.ts';
import { onnxProvider } from '../../server/runtime/inference/node-inference.ts';
import { drawMovingFrame } from '../fixtures/moving-pattern.ts';
import { difference, sum, ZERO_SPAN } from '../support/page/run-spans.ts';
import { ms, ratio, report } from './measure.ts';
import { cutoutPng, photoJpeg } from './pictures.ts';
import { benchSessionOverhead, benchSessionOverheadInBrowser, clock } from './session-overhead.ts';

const FRAMES = 24;
const { signal } = new AbortController();

/**
 * Measures the cost around the networks' own runs for a 2-megapixel photo, also with alpha, and how many video frames a
 * second pass.
 */
export async function benchUpscale(): Promise<void> {
  const jpeg = new Uint8Array(await photoJpeg(1632, 1224));
  const photo = new Blob([jpeg]);
  const bench = { operation: 'upscale', photo, rest: 'tiles', shareMax: 0.15 } as const;
  const x2 = { ...bench, engine: 'upscale-x2', model: await weights('upscale-x2'), title: '2 MP, x2' };
  await benchSessionOverhead(x2);
  const cutout = new Blob([new Uint8Array(await cutoutPng(jpeg))]);
  await benchSessionOverhead({ ...x2, photo: cutout, title: '2 MP with alpha, x2' });
  await benchFrames();
  await benchSessionOverheadInBrowser(x2);
}

/** Measures the fast network on moving frames, in one process and without a codec. */
async function benchFrames(): Promise<void> {
  const network = UPSCALERS.find(({ id }) => id === 'darkroom-fast')?.networks[0];
  if (!network) throw new Error('no fast network');
  const session = await ProviderChain.open([onnxProvider('cpu', () => weights(network.card.id))], signal);
  let inSession = ZERO_SPAN;
  const timed: Session = {
    inputs: session.inputs,
    outputs: session.outputs,
    async run(feeds, abort) {
      const before = clock();
      const result = await session.run(feeds, abort);
      inSession = sum(inSession, difference(before, clock()));
      return result;
    },
  };
  const enlarger = new FrameEnlarger(network, timed, {
    signal,
    report: createReport(),
  });
  const frames = Array.from({ length: FRAMES }, (_, index) => drawMovingFrame(640, 360, index));
  await enlarger.enlarge(drawMovingFrame(640, 360, FRAMES));
  inSession = ZERO_SPAN;
  const before = clock();
  for (const frame of frames) await enlarger.enlarge(frame);
  const whole = difference(before, clock());
  await session.release();
  const [cpu, sessionCpu] = [whole.cpuMs ?? Number.NaN, inSession.cpuMs ?? Number.NaN];
  report('upscale fast x2, frames of 640 x 360', {
    'CPU a frame': ms(cpu / FRAMES),
    'of which session': `${ms(sessionCpu / FRAMES)}, around ${ratio(cpu - sessionCpu, sessionCpu)} of it`,
    'frames a second by the clock': (FRAMES / (whole.wallMs / 1000)).toFixed(1),
  });
}

async function weights(id: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(new URL(`../../models/weights/${id}.onnx`, import.meta.url)));
}
