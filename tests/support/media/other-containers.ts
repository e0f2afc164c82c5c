import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P } from 'node-av/constants';
import { generateTone } from '../../../lab/fixtures/audio-pattern.ts';
import { writeAudioFile } from '../../../lab/fixtures/write-audio-file.ts';
import { joinStreams } from './join-streams.ts';

/** Containers by FFmpeg's names. */
export const OTHER_CONTAINERS = [
  'mpegts',
  'mpeg',
  'avi',
  'asf',
  'caf',
  'w64',
  'au',
  'ogg',
  'mov',
  'matroska',
  'tta',
  'wv',
  'truehd',
  'flv',
];
const WITH_ONE_TRACK = ['caf', 'w64', 'au', 'ogg', 'tta', 'wv', 'truehd', 'flv'];
const ENCODERS: Readonly<Record<string, string>> = {
  mpegts: 'mp2',
  mpeg: 'mp2',
  asf: 'mp2',
  ogg: 'flac',
  tta: 'tta',
  wv: 'wavpack',
  truehd: 'truehd',
};
const PLANAR = ['wv', 'truehd'];

/** Writes a short file of each container: of two tracks where it holds several. */
export function writeOtherContainers(): ReadonlyMap<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-others-'));
  try {
    return new Map(OTHER_CONTAINERS.map((muxer) => [muxer, writeOne(folder, muxer)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeOne(folder: string, muxer: string): Buffer {
  const encoder = ENCODERS[muxer] ?? (muxer === 'caf' || muxer === 'au' ? 'pcm_s16be' : 'pcm_s16le');
  const path = join(folder, `whole-${muxer}`);
  const sampleFormat = PLANAR.includes(muxer) ? AV_SAMPLE_FMT_S16P : AV_SAMPLE_FMT_S16;
  const sampleRate = muxer === 'flv' ? 44_100 : 48_000;
  const channels = muxer === 'truehd' ? [0, 1] : [0];
  writeAudioFile(
    path,
    { encoder, muxer, sampleFormat, sampleRate },
    channels.map((channel) => generateTone(channel, sampleRate, 0.3)),
  );
  if (WITH_ONE_TRACK.includes(muxer)) return readFileSync(path);
  const joined = join(folder, muxer);
  joinStreams([path, path], joined, muxer);
  return readFileSync(joined);
}
