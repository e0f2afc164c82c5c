import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Container and codec of a clip. */
export interface Clip {
  /** File name, whose extension tells ffmpeg the container. */
  readonly name: string;
  readonly options: readonly string[];
  readonly hasVideo: boolean;
}

/** Length of each clip, and the time of its marker: a flash and a beep of 0.2 s. */
const CLIP_SECONDS = 6;
export const MARKER_SECONDS = 4;
const FRAME_RATE = 10;

const FRAGMENTS = ['-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '1000000'];
const H264 = ['-c:v', 'libx264', '-g', String(FRAME_RATE), '-pix_fmt', 'yuv420p'];

function getClips(table: Readonly<Record<string, readonly string[]>>, hasVideo: boolean): Clip[] {
  return Object.entries(table).map(([name, options]) => ({ name, options, hasVideo }));
}

export const AUDIO_CLIPS = getClips(
  {
    'mp3.mp3': ['-c:a', 'libmp3lame'],
    'adts.aac': ['-c:a', 'aac'],
    'flac.flac': ['-c:a', 'flac'],
    'pcm.wav': ['-c:a', 'pcm_s16le'],
    'opus.ogg': ['-c:a', 'libopus'],
    'vorbis.ogg': ['-c:a', 'libvorbis'],
    'aac.m4a': ['-c:a', 'aac'],
    'alac.m4a': ['-c:a', 'alac'],
    'fragments.mp4': ['-c:a', 'aac', ...FRAGMENTS],
    'opus.webm': ['-c:a', 'libopus'],
    'aac.mkv': ['-c:a', 'aac'],
    'mp3.mkv': ['-c:a', 'libmp3lame'],
    'ac3.ac3': ['-c:a', 'ac3'],
    'aac.ts': ['-c:a', 'aac'],
    'mp2.mpg': ['-c:a', 'mp2', '-f', 'mpeg'],
    'aac.flv': ['-c:a', 'aac'],
    'pcm.avi': ['-c:a', 'pcm_s16le'],
    'mp3.avi': ['-c:a', 'libmp3lame'],
    'wma.wma': ['-c:a', 'wmav2'],
    'tta.tta': ['-c:a', 'tta'],
    'wavpack.wv': ['-c:a', 'wavpack'],
    'truehd.thd': ['-ac', '2', '-c:a', 'truehd', '-strict', '-2'],
  },
  false,
);
export const VIDEO_CLIPS = getClips(
  {
    'h264.mp4': [...H264, '-c:a', 'aac'],
    'h264-fragments.mp4': [...H264, '-c:a', 'aac', ...FRAGMENTS],
    'h264.mov': [...H264, '-c:a', 'aac'],
    'h264.mkv': [...H264, '-c:a', 'aac'],
    'vp8.webm': ['-c:v', 'libvpx', '-deadline', 'realtime', '-g', String(FRAME_RATE), '-c:a', 'libopus'],
  },
  true,
);

/** Makes a troubled file from the path of a whole one. */
type Trouble = (whole: string, path: string) => Promise<void>;

const KEEP_TIMES = ['-avoid_negative_ts', 'disabled', '-muxpreload', '0', '-copyts'];
const TROUBLES: Readonly<Record<string, Trouble>> = {
  none: async (whole, path) => writeFile(path, await readFile(whole)),
  'clock at 600 s': (whole, path) =>
    remux(path, ['-itsoffset', '600', '-i', whole, '-c', 'copy', ...KEEP_TIMES]),
  'cut at 2 s': (whole, path) => remux(path, ['-ss', '2', '-i', whole, '-c', 'copy']),
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
  'cut off': async (whole, path) => {
    const bytes = await readFile(whole);
    await writeFile(path, bytes.subarray(0, Math.floor(bytes.length * 0.8)));
  },
};

async function remux(path: string, options: readonly string[]): Promise<void> {
  await run('ffmpeg', ['-v', 'error', '-y', ...options, path]);
}

/** Writes a clip whole: a quiet hum and a black picture, with a beep and a flash at the marker. */
async function writeClip(path: string, { options, hasVideo }: Clip): Promise<void> {
  const marked = `between(t,${MARKER_SECONDS},${MARKER_SECONDS + 0.2})`;
  const sound = `aevalsrc='0.02*sin(2*PI*200*t)+0.6*sin(2*PI*1000*t)*${marked}':s=48000:d=${CLIP_SECONDS}`;
  const picture = `color=black:s=128x96:r=${FRAME_RATE}:d=${CLIP_SECONDS},drawbox=c=white:t=fill:enable='${marked}'`;
  const video = hasVideo ? ['-f', 'lavfi', '-i', picture] : [];
  await run('ffmpeg', ['-v', 'error', '-y', ...video, '-f', 'lavfi', '-i', sound, ...options, path]);
}

/**
 * Yields a clip with each trouble, whole first; those that ffmpeg cannot make are left out. Each file exists until the
 * next.
 */
export async function* makeClips(clip: Clip): AsyncGenerator<{ trouble: string; path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'media-clips-'));
  try {
    const whole = join(folder, `whole.${clip.name}`);
    await writeClip(whole, clip);
    for (const [trouble, make] of Object.entries(TROUBLES)) {
      const path = join(folder, `troubled.${clip.name}`);
      const isMade = await make(whole, path).then(
        () => true,
        () => false,
      );
      if (isMade) yield { trouble, path };
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
