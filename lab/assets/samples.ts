// Makes the product's own results for the studio's sample photographs, and both in the sizes that pages show. Origins
// and licences of the photographs: app/studio/files/samples.ts. Run again with
// `MODELS_OFFLINE=1 npx tsx lab/assets/samples.ts` after a change; the results are committed.
import { openAsBlob } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { RunResult } from '../../models/core/operation/run-result.ts';
import { columnLevels, PEAK_SECONDS, PeakMeter } from '../../models/kernels/audio/peaks.ts';
import { OPERATIONS, type OperationId } from '../../models/registry.ts';
import { readEnv } from '../../server/base/env.ts';
import { openInference } from '../../server/runtime/inference/index.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';

const FOLDER = 'public/samples';
/** All images of the home page together have 250 kB. */
const SHOWN = { quality: 51, effort: 9, chromaSubsampling: '4:2:0' } as const;
/** Colours of the dark theme: they show on either ground. */
const LANES = ['#74b3c7', '#d8b25a', '#8dbb86', '#c39ad0', '#d09a80', '#9aa6d8'];
const INK = '#efe8dc';
const QUIET = '#5a5149';

const runtime = createNodeRuntime({
  signal: new AbortController().signal,
  inference: openInference(readEnv()),
});
await keepResult('media-convert-image', 'kitten.jpg', { to_format: 'avif', quality: 60 }, 'kitten.avif');
await keepResult('remove-bg', 'lemur.jpg', { output_format: 'webp' }, 'lemur-cutout.webp');
await keepResult('remove-bg', 'otter.jpg', { output_format: 'webp' }, 'otter-cutout.webp');

await sharp(`${FOLDER}/lemur.jpg`).resize(340).jpeg({ quality: 92 }).toFile(`${FOLDER}/lemur-small.jpg`);
await keepResult('upscale', 'lemur-small.jpg', { output_format: 'webp' }, 'lemur-upscaled.webp');

await keepResult('audio-diarize', 'conversation.wav', {}, 'conversation.json');
await drawConversation('conversation-680.avif', false);
await drawConversation('conversation-result-680.avif', true);
const ROOM = { left: 300, right: 300, top: 120, bottom: 120 };
const margins = Object.fromEntries(Object.entries(ROOM).map(([side, pixels]) => [`expand_${side}`, pixels]));
const extending = { ...margins, seed: 1, engine: 'darkroom-patches', output_format: 'webp' };
await keepResult('image-outpaint', 'kitten.jpg', extending, 'kitten-extended.webp');

// The width at the end of a name says that this is the image that pages show.
await preview('kitten.jpg', 'kitten', 800);
await preview('kitten.avif', 'kitten-result', 800);
await preview('lemur.jpg', 'lemur', 680);
await preview('lemur-cutout.webp', 'lemur-result', 680);
await preview('lemur-small.jpg', 'lemur-small', 680);
await preview('lemur-upscaled.webp', 'lemur-upscaled', 680);
await preview('kitten-extended.webp', 'kitten-extended', 800);
const room = sharp(`${FOLDER}/kitten.jpg`)
  .ensureAlpha()
  .extend({ ...ROOM, background: '#0000' });
await sharp(await room.png().toBuffer())
  .resize(800)
  .avif(SHOWN)
  .toFile(`${FOLDER}/kitten-room-800.avif`);
await preview('otter.jpg', 'otter', 1200);
await preview('otter-cutout.webp', 'otter-result', 1200);

async function preview(input: string, name: string, width: number): Promise<void> {
  const image = sharp(`${FOLDER}/${input}`).resize(width);
  await image.avif(SHOWN).toFile(`${FOLDER}/${name}-${width}.avif`);
}

/** Draws the levels of the conversation, all in one colour or in those of its speakers. */
async function drawConversation(output: string, isResult: boolean): Promise<void> {
  const { levels } = await conversationPeaks();
  const { segments } = JSON.parse(await readFile(`${FOLDER}/conversation.json`, 'utf8'));
  const [width, height, bars] = [680, 440, 170];
  const peaks = { levels, durationSeconds: levels.length * PEAK_SECONDS };
  const heights = columnLevels(peaks, bars, 0, peaks.durationSeconds);
  const loudest = Math.max(...heights);
  const rects = [...heights].map((level, at) => {
    const time = ((at + 0.5) / bars) * peaks.durationSeconds;
    const turn = segments.find(
      ({ start, end }: { start: number; end: number }) => start <= time && time < end,
    );
    const fill = isResult ? (LANES[turn?.speaker] ?? QUIET) : INK;
    const tall = Math.max(2, (level / loudest) * height * 0.8);
    return `<rect x="${at * 4}" y="${(height - tall) / 2}" width="2" height="${tall}" fill="${fill}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#171412"/>${rects.join('')}</svg>`;
  await sharp(Buffer.from(svg)).avif({ quality: 55, effort: 9 }).toFile(`${FOLDER}/${output}`);
}

async function conversationPeaks() {
  const { signal } = runtime;
  const shape = { sampleRate: 8000, channelCount: 1, signal } as const;
  const audio = await runtime.audio.decode(await openAsBlob(`${FOLDER}/conversation.wav`), shape);
  const meter = new PeakMeter(shape.sampleRate);
  for await (const [samples] of audio.chunks()) if (samples) meter.add(samples);
  return meter.finish();
}

async function keepResult(id: OperationId, input: string, params: object, output: string): Promise<void> {
  const result = await execute(id, input, params);
  for (const { blob } of result.files) {
    await writeFile(`${FOLDER}/${output}`, new Uint8Array(await blob.arrayBuffer()));
  }
}

async function execute(id: OperationId, input: string, params: object): Promise<RunResult> {
  return OPERATIONS[id].execute(await openAsBlob(`${FOLDER}/${input}`), params, runtime);
}
