import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { probeAudio } from '../../../models/media/audio/read/probe-audio.ts';
import { openFile } from '../../../server/base/open-file.ts';
import { provideNodeFfmpeg } from '../../../server/base/provide-ffmpeg.ts';
import { median } from '../measure.ts';

const run = promisify(execFile);
const REPEATS = 5;

interface LargeFile {
  /** Description in the table. The extension of the name below tells ffmpeg the container. */
  readonly title: string;
  readonly name: string;
  readonly seconds: number;
  readonly options: readonly string[];
  /** Number of times that it is written one after the other. Defaults to once. */
  readonly copies?: number;
}

const PCM = ['-c:a', 'pcm_s16le', '-ac', '2'];
const MP2 = ['-c:a', 'mp2', '-ac', '2', '-b:a', '384k'];
const TWO_TRACKS = ['-map', '0:a', '-map', '0:a'];
const FILES: readonly LargeFile[] = [
  { title: 'MP4 of 18 s, one track', name: 'one.mp4', seconds: 18, options: ['-c:a', 'aac'] },
  { title: 'MKV of 18 s, two tracks', name: 'two.mkv', seconds: 18, options: [...TWO_TRACKS, '-c:a', 'aac'] },
  {
    title: 'MKV of 10 minutes, two tracks of FLAC',
    name: 'flac.mkv',
    seconds: 600,
    options: [...TWO_TRACKS, '-c:a', 'flac'],
  },
  { title: 'MKV of 100 MB, one track of PCM', name: 'pcm.mkv', seconds: 520, options: PCM },
  {
    title: 'MPEG transport stream of 108 MB, three that were joined',
    name: 'joined.ts',
    seconds: 680,
    options: MP2,
    copies: 3,
  },
  {
    title: 'MPEG program stream of 108 MB, three that were joined',
    name: 'joined.mpg',
    seconds: 740,
    options: [...MP2, '-f', 'mpeg'],
    copies: 3,
  },
  { title: 'AVI of 100 MB, PCM', name: 'pcm.avi', seconds: 520, options: PCM },
  { title: 'WAV of 100 MB', name: 'pcm.wav', seconds: 520, options: PCM },
  { title: 'WavPack of 10 minutes', name: 'ten.wv', seconds: 600, options: ['-c:a', 'wavpack', '-ac', '2'] },
  { title: 'True Audio of 10 minutes', name: 'ten.tta', seconds: 600, options: ['-c:a', 'tta', '-ac', '2'] },
  { title: 'WMA of 10 minutes', name: 'ten.wma', seconds: 600, options: ['-c:a', 'wmav2', '-ac', '2'] },
  { title: 'FLV of 10 minutes', name: 'ten.flv', seconds: 600, options: ['-c:a', 'aac', '-ac', '2'] },
];

async function writeFile(folder: string, { name, seconds, options, copies = 1 }: LargeFile): Promise<string> {
  const path = join(folder, name);
  const sound = `anoisesrc=d=${seconds}:r=48000:a=0.3:seed=1`;
  await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', sound, ...options, path]);
  const once = await readFile(path);
  for (let copy = 1; copy < copies; copy++) await appendFile(path, once);
  return path;
}

/** Processor time of one probe in milliseconds. */
async function probeMs(path: string): Promise<number> {
  const file = await openFile(path);
  const start = process.cpuUsage();
  await probeAudio(file);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/**
 * Prints the processor time of probing the audio of files of many containers: the median of five probes in one process.
 * Needs Debian's ffmpeg.
 */
export async function benchProbing(): Promise<void> {
  provideNodeFfmpeg();
  const folder = await mkdtemp(join(tmpdir(), 'probe-times-'));
  try {
    console.log('| file | size | processor time of a probe |\n|---|---|---|');
    for (const file of FILES) {
      const path = await writeFile(folder, file);
      const { size } = await stat(path);
      const times: number[] = [];
      for (let repeat = 0; repeat < REPEATS; repeat++) times.push(await probeMs(path));
      console.log(`| ${file.title} | ${(size / 1e6).toFixed(1)} MB | ${median(times).toFixed(0)} ms |`);
      await rm(path);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
