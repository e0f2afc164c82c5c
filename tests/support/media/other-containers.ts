import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_S16 } from 'node-av/constants';
import { generateTone } from '../../../scripts/fixtures/audio-pattern.ts';
import { writeAudioFile } from '../../../scripts/fixtures/write-audio-file.ts';
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
];
const WITH_ONE_TRACK = ['caf', 'w64', 'au', 'ogg'];
const ENCODERS: Readonly<Record<string, string>> = { mpegts: 'mp2', mpeg: 'mp2', asf: 'mp2', ogg: 'flac' };

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
  const recipe = { encoder, muxer, sampleFormat: AV_SAMPLE_FMT_S16, sampleRate: 48_000 };
  writeAudioFile(path, recipe, [generateTone(0, 48_000, 0.3)]);
  if (WITH_ONE_TRACK.includes(muxer)) return readFileSync(path);
  const joined = join(folder, muxer);
  joinStreams([path, path], joined, muxer);
  return readFileSync(joined);
}
