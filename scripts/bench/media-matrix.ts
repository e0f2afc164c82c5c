// Makes clips of many containers and codecs with many kinds of trouble, and prints what the server reads in them beside
// the same clip without trouble: `npx tsx scripts/bench/media-matrix.ts [filter]`. Needs Debian's ffmpeg.
import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { billedAudioSeconds } from '../../models/media/audio-limits.ts';
import { messagesOf } from '../../models/runtime/run-warnings.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';

const run = promisify(execFile);
const RATE = 16_000;
/** Length of each clip, and the time of its marker: a flash and a beep of 0.2 s. */
const CLIP_SECONDS = 10;
const MARKER_SECONDS = 7;

const AUDIO: Readonly<Record<string, readonly string[]>> = {
  mp3: ['-c:a', 'libmp3lame'],
  aac: ['-c:a', 'aac'],
  flac: ['-c:a', 'flac'],
  wav: ['-c:a', 'pcm_s16le'],
  'opus.ogg': ['-c:a', 'libopus'],
  'vorbis.ogg': ['-c:a', 'libvorbis'],
  m4a: ['-c:a', 'aac'],
  'fragmented.mp4': ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '1000000'],
  'opus.webm': ['-c:a', 'libopus'],
  'aac.mkv': ['-c:a', 'aac'],
  'mp3.mkv': ['-c:a', 'libmp3lame'],
};
const VIDEO: Readonly<Record<string, readonly string[]>> = {
  'video.mp4': ['-c:v', 'libx264', '-g', '25', '-c:a', 'aac'],
  'video.fragmented.mp4': [...['-c:v', 'libx264', '-c:a', 'aac'], '-movflags', 'frag_keyframe+empty_moov'],
  'video.mov': ['-c:v', 'libx264', '-g', '25', '-c:a', 'aac'],
  'video.mkv': ['-c:v', 'libx264', '-g', '25', '-c:a', 'aac'],
  'video.webm': ['-c:v', 'libvpx', '-deadline', 'realtime', '-g', '25', '-c:a', 'libopus'],
};

/** Makes a troubled file from the path of a whole one. */
type Trouble = (whole: string, path: string) => Promise<void>;

const TROUBLES: Readonly<Record<string, Trouble>> = {
  none: async (whole, path) => writeFile(path, await readFile(whole)),
  'clock at 600 s': (whole, path) =>
    remux(path, ['-itsoffset', '600', '-i', whole, '-c', 'copy', ...KEEP_TIMES]),
  'cut at 3 s': (whole, path) => remux(path, ['-ss', '3', '-i', whole, '-c', 'copy']),
  'joined twice': async (whole, path) => {
    const bytes = await readFile(whole);
    await writeFile(path, Buffer.concat([bytes, bytes]));
  },
  'after zeros': async (whole, path) =>
    writeFile(path, Buffer.concat([Buffer.alloc(100_000), await readFile(whole)])),
  'damaged stretch': async (whole, path) => {
    const bytes = await readFile(whole);
    bytes.fill(0, Math.floor(bytes.length * 0.3), Math.floor(bytes.length * 0.4));
    await writeFile(path, bytes);
  },
};
const KEEP_TIMES = ['-avoid_negative_ts', 'disabled', '-muxpreload', '0', '-copyts'];

async function remux(path: string, options: readonly string[]): Promise<void> {
  await run('ffmpeg', ['-v', 'error', '-y', ...options, path]);
}

async function makeClip(path: string, codec: readonly string[], hasVideo: boolean): Promise<void> {
  const beep = `between(t,${MARKER_SECONDS},${MARKER_SECONDS + 0.2})`;
  const sound = `aevalsrc='0.02*sin(2*PI*200*t)+0.6*sin(2*PI*1000*t)*${beep}':s=48000:d=${CLIP_SECONDS}`;
  const picture = `color=black:s=128x96:r=25:d=${CLIP_SECONDS},drawbox=c=white:t=fill:enable='${beep}'`;
  const inputs = [...(hasVideo ? ['-f', 'lavfi', '-i', picture] : []), '-f', 'lavfi', '-i', sound];
  await run('ffmpeg', ['-v', 'error', '-y', ...inputs, ...codec, path]);
}

const { signal } = new AbortController();
const { audio, video } = createNodeRuntime({ signal, scratchDirectory: tmpdir() });

/** Reads the length, the price, the beep's place and the warnings of the audio of a file. */
async function readAudio(path: string): Promise<string> {
  const decoded = await audio.decode(await openAsBlob(path), { sampleRate: RATE, channelCount: 1, signal });
  let [frames, beep] = [0, Number.NaN];
  for await (const [samples] of decoded.chunks()) {
    for (const sample of samples ?? []) {
      if (Number.isNaN(beep) && Math.abs(sample) > 0.3) beep = frames / RATE;
      frames += 1;
    }
  }
  const { durationSeconds } = decoded.facts;
  const price = (billedAudioSeconds(durationSeconds) * 0.005).toFixed(3);
  const lengths = `${durationSeconds.toFixed(2)} s, decoded ${(frames / RATE).toFixed(2)} s, $${price}`;
  return [lengths, `beep ${beep.toFixed(2)}`, ...messagesOf(decoded.warnings())].join(' | ');
}

/** Reads the length and the flash's place of the video of a file. */
async function readVideo(path: string): Promise<string> {
  const decoded = await video.decode(await openAsBlob(path), { signal });
  let flash = Number.NaN;
  for await (const { data, timestampSeconds } of decoded.frames()) {
    if (Number.isNaN(flash) && (data[0] as number) > 128) flash = timestampSeconds;
  }
  return `${decoded.durationSeconds.toFixed(2)} s | flash ${flash.toFixed(2)}`;
}

async function report(name: string, read: () => Promise<string>): Promise<void> {
  const found = await read().catch((thrown: Error) => `${thrown.name}: ${thrown.message}`);
  console.log(`${name.padEnd(44)} ${found}`);
}

const [filter = ''] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'media-matrix-'));
for (const [name, codec] of Object.entries({ ...AUDIO, ...VIDEO })) {
  const whole = join(folder, `whole.${name}`);
  const hasVideo = name in VIDEO;
  if (!name.includes(filter)) continue;
  await makeClip(whole, codec, hasVideo);
  for (const [trouble, make] of Object.entries(TROUBLES)) {
    const path = join(folder, `troubled.${name}`);
    const isMade = await make(whole, path).then(
      () => true,
      () => false,
    );
    if (!isMade) continue;
    await report(`${name}, ${trouble}`, () => readAudio(path));
    if (hasVideo) await report(`  its video`, () => readVideo(path));
  }
}
await rm(folder, { recursive: true });
