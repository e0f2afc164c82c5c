// Makes the stems of the studio's sample song, and draws both in the size that pages show. Origin and licence:
// app/studio/files/samples.ts. Run again with `MODELS_OFFLINE=1 npx tsx lab/assets/stem-samples.ts` after a
// change of the models; the results are committed.
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { columnLevels, PeakMeter, type Peaks } from '../../models/kernels/audio/peaks.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { readEnv } from '../../server/base/env.ts';
import { openInference } from '../../server/runtime/inference/index.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';

const FOLDER = 'public/samples';
/** Colours of the dark theme: they show on either ground. */
const LANES = ['#74b3c7', '#d8b25a', '#8dbb86', '#c39ad0'];
const INK = '#efe8dc';
const [WIDTH, HEIGHT, BARS] = [680, 440, 170];
const RATE = 8000;

const { signal } = new AbortController();
const runtime = createNodeRuntime({ signal, inference: openInference(readEnv()) });
const song = await openAsBlob(`${FOLDER}/song.mp3`);
const { files } = await OPERATIONS['audio-separate-stems'].execute(song, { stems: 'four' }, runtime);
for (const { name, blob } of files.slice(0, 1)) {
  await writeFile(`${FOLDER}/song-${name}`, new Uint8Array(await blob.arrayBuffer()));
}
const whole = await getPeaks(song);
const parts = await Promise.all(files.map(({ blob }) => getPeaks(blob)));
const loudest = Math.max(...whole.levels);
await draw('song-680.avif', getBars(whole, INK, HEIGHT / 2, HEIGHT));
await draw(
  'song-result-680.avif',
  parts.map((part, at) => getBars(part, LANES[at] ?? INK, (at + 0.5) * (HEIGHT / 4), HEIGHT / 4)).join(''),
);

async function getPeaks(file: Blob): Promise<Peaks> {
  const audio = await runtime.audio.decode(file, { sampleRate: RATE, channelCount: 1, signal });
  const meter = new PeakMeter(RATE);
  for await (const [samples] of audio.chunks()) if (samples) meter.add(samples);
  return meter.finish();
}

/** Draws levels around a middle, in a row of a height. */
function getBars(peaks: Peaks, fill: string, middle: number, row: number): string {
  const bars = [...columnLevels(peaks, BARS, 0, whole.durationSeconds)].map((level, at) => {
    const tall = Math.max(2, (level / loudest) * row * 0.8);
    return `<rect x="${at * 4}" y="${middle - tall / 2}" width="2" height="${tall}" fill="${fill}"/>`;
  });
  return bars.join('');
}

async function draw(output: string, bars: string): Promise<void> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#171412"/>${bars}</svg>`;
  await sharp(Buffer.from(svg)).avif({ quality: 55, effort: 9 }).toFile(`${FOLDER}/${output}`);
}
