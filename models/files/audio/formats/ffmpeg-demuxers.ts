import type { AudioFacts } from '../../../runtime/audio-facts.ts';

const DEMUXERS = {
  mp3: 'mp3',
  wav: 'wav',
  flac: 'flac',
  ogg: 'ogg',
  aac: 'aac',
  mp4: 'mov',
  mov: 'mov',
  webm: 'matroska',
  mkv: 'matroska',
  asf: 'asf',
  amr: 'amr',
  aiff: 'aiff',
  ac3: 'ac3',
} as const;

/** Returns FFmpeg's name for a container. FFmpeg must not guess it, since some of its formats open other files. */
export function ffmpegDemuxer({ container, codec }: Pick<AudioFacts, 'container' | 'codec'>): string {
  return container === 'ac3' && codec === 'eac3' ? 'eac3' : DEMUXERS[container];
}
