// Makes the samples with known results on which each installation measures its engines: public/acceptance. Origins and
// licences: public/acceptance/SOURCES.md. Needs ffmpeg and the data that DARKROOM_SHARED names; run again with
// `npx tsx lab/assets/acceptance-samples.ts`. The results are committed, and a change of them needs a new
// ACCEPTANCE_VERSION.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { SpokenSegment } from '../../models/acceptance/speakers.ts';
import { SHARED } from '../support/shared-folder.ts';

const FOLDER = 'public/acceptance';
const DATA = join(SHARED, 'data');
const work = mkdtempSync(join(tmpdir(), 'acceptance-'));

/** Pictures with masks, none of which trained a bundled network, and their longest sides. */
const MASKED = {
  person: [
    'background/canvas_human/example_image.png',
    'background/canvas_human/example_ground_truth.png',
    480,
  ],
  car: ['train/matting/davis/drift-straight_00006.jpg', 'train/matting/davis/drift-straight_00006.png', 480],
  animal: ['background/pymatting_lemur/lemur.png', 'background/pymatting_lemur/lemur_alpha.png', 400],
  thing: ['train/matting/kuih/k1_IMG_1283.jpg', 'train/matting/kuih/k1_IMG_1283.png', 400],
} as const;

for (const [name, [picture, mask, side]] of Object.entries(MASKED)) {
  const size = { width: side, height: side, fit: 'inside' } as const;
  await sharp(join(DATA, picture))
    .flatten({ background: '#fff' })
    .resize(size)
    .jpeg({ quality: 88 })
    .toFile(`${FOLDER}/${name}.jpg`);
  await sharp(join(DATA, mask))
    .greyscale()
    .resize(size)
    .png({ palette: true })
    .toFile(`${FOLDER}/${name}-mask.png`);
}
await sharp(join(DATA, 'train/photos/budgie_serene.jpg'))
  .resize({ width: 384 })
  .jpeg({ quality: 88 })
  .toFile(`${FOLDER}/empty.jpg`);
await sharp(join(DATA, 'train/photos/budgie_orange-hallway.jpg'))
  .resize({ width: 720 })
  .extract({ left: 60, top: 200, width: 256, height: 256 })
  .jpeg({ quality: 96, chromaSubsampling: '4:4:4' })
  .toFile(`${FOLDER}/patch.jpg`);

/** Cartoon of a cat: plain areas within black lines. */
const CARTOON = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="360" stroke="#111" stroke-width="6"
  stroke-linejoin="round" stroke-linecap="round"><rect width="360" height="360" fill="#fdfdf4" stroke="none"/>
  <path d="M88 150 70 50 140 96 Q180 84 220 96 L290 50 272 150 Q300 290 180 300 Q60 290 88 150Z" fill="#f2a43a"/>
  <path d="M92 88 104 122 124 104ZM268 88 256 122 236 104Z" fill="#f6c4b8" stroke-width="4"/>
  <ellipse cx="138" cy="170" rx="24" ry="30" fill="#fff"/><ellipse cx="222" cy="170" rx="24" ry="30" fill="#fff"/>
  <circle cx="144" cy="176" r="10" fill="#111"/><circle cx="216" cy="176" r="10" fill="#111"/>
  <path d="M166 216 H194 L180 232Z" fill="#e8727d"/><path d="M180 232 V246 Q160 268 142 250 M180 246 Q200 268 218 250"
  fill="none"/><path d="M40 206 112 218 M36 244 112 236 M320 206 248 218 M324 244 248 236 M150 108 V134 M180 100 V136
  M210 108 V134" fill="none"/></svg>`;
await sharp(Buffer.from(CARTOON)).png({ palette: true }).toFile(`${FOLDER}/drawing.png`);

/** Seconds of the song, of its 20. */
const [SONG_START, SONG_SECONDS] = [4, 12];
for (const stem of ['vocals', 'drums', 'other']) {
  const cut = ['-ss', String(SONG_START), '-t', String(SONG_SECONDS)];
  ffmpeg(
    ...cut,
    '-i',
    join(DATA, `stems/evr_sodium/${stem}.flac`),
    '-b:a',
    '96k',
    `${FOLDER}/song-${stem}.mp3`,
  );
}

/** Turns of the conversation: reader, utterance, and the second at which it begins. */
const TURNS = [
  ['A', '2033-164914-0000', 0.2],
  ['B', '367-130732-0004', 7.4],
  ['C', '2609-156975-0001', 13.8],
  ['A', '2033-164914-0003', 19],
  ['B', '367-130732-0001', 25.2],
] as const;
const RATE = 16_000;
const END_SECONDS = 30;
const mix = new Float32Array(END_SECONDS * RATE);
const truth: SpokenSegment[] = [];
for (const [speaker, utterance, start] of TURNS) {
  const samples = readMono(join(DATA, `train/speech/librispeech/${utterance}.opus`));
  samples.forEach((sample, at) => {
    const place = Math.round(start * RATE) + at;
    if (place < mix.length) mix[place] = mix[place] + sample;
  });
  for (const [from, to] of spokenSpans(samples)) {
    truth.push({ speaker, start: start + from, end: Math.min(END_SECONDS, start + to) });
  }
}
writeFileSync(join(work, 'mix.f32'), new Uint8Array(mix.buffer));
const raw = ['-f', 'f32le', '-ar', String(RATE), '-ac', '1', '-i', join(work, 'mix.f32')];
ffmpeg(...raw, '-b:a', '64k', `${FOLDER}/conversation.mp3`);
writeFileSync(`${FOLDER}/conversation.json`, `${JSON.stringify(truth.map(rounded))}\n`);
rmSync(work, { recursive: true });

/** Reads a file as mono samples, all as loud as one another. */
function readMono(path: string): Float32Array {
  const args = ['-v', 'error', '-i', path, '-f', 'f32le', '-ar', String(RATE), '-ac', '1', '-'];
  const bytes = execFileSync('ffmpeg', args, { maxBuffer: 2 ** 26 });
  const samples = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const power = samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length;
  return samples.map((sample) => (sample * 0.06) / Math.sqrt(power));
}

/** Returns the spans of clean speech that are louder than -35 dB of its loudest 20 ms, in seconds, pauses closed. */
function spokenSpans(samples: Float32Array): [start: number, end: number][] {
  const step = RATE / 50;
  const levels = Array.from({ length: Math.floor(samples.length / step) }, (_, at) =>
    samples.subarray(at * step, (at + 1) * step).reduce((sum, sample) => sum + sample ** 2, 0),
  );
  const floor = Math.max(...levels) * 10 ** -3.5;
  const spans: [number, number][] = [];
  levels.forEach((level, at) => {
    if (level < floor) return;
    const last = spans.at(-1);
    const [start, end] = [at / 50, (at + 1) / 50];
    if (last && start - last[1] < 0.5) last[1] = end;
    else spans.push([start, end]);
  });
  return spans.filter(([start, end]) => end - start > 0.2);
}

function rounded({ speaker, start, end }: SpokenSegment): SpokenSegment {
  return { speaker, start: Math.round(start * 100) / 100, end: Math.round(end * 100) / 100 };
}

function ffmpeg(...args: readonly string[]): void {
  const plain = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...args.slice(0, -1), ...plain, ...args.slice(-1)]);
}
