import { OperationError } from '../../../core/operation/errors.ts';
import type { AudioFacts } from '../../../core/runtime/audio-codec.ts';
import { getAudioContainer, SIGNATURE_BYTES } from './audio-container.ts';

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
  w64: 'w64',
  au: 'au',
  caf: 'caf',
  mp2: 'mp3',
  dts: 'dts',
  truehd: 'truehd',
  mpegts: 'mpegts',
  mpeg: 'mpeg',
  avi: 'avi',
  flv: 'flv',
  tta: 'tta',
  ape: 'ape',
  wavpack: 'wv',
} as const;

/** Demuxers of raw frames by their codec, where a container has several. */
const RAW_DEMUXERS: Readonly<Record<string, string>> = { eac3: 'eac3', mlp: 'mlp' };

/** Returns FFmpeg's name for a container. FFmpeg must not guess it, since some of its formats open other files. */
export function ffmpegDemuxer({ container, codec }: Pick<AudioFacts, 'container' | 'codec'>): string {
  const isRaw = container === 'ac3' || container === 'truehd';
  return (isRaw && codec !== null && RAW_DEMUXERS[codec]) || DEMUXERS[container];
}

/** Demuxers of codecs whose frames have checksums, by which damage is told from noise. */
const CHECKED_DEMUXERS: readonly string[] = ['tta', 'ape', 'wv'];
/** Value of FFmpeg's option `err_detect` that refuses frames with a wrong checksum. */
export const REFUSE_WRONG_CHECKSUMS = 'crccheck+explode';

/** Reports whether decoders have to check the checksums of frames, which FFmpeg leaves out. */
export function hasChecksums(demuxer: string): boolean {
  return CHECKED_DEMUXERS.includes(demuxer);
}

/** Returns FFmpeg's name for the container of a file. @throws OperationError `unprocessable` for an unknown one */
export async function readFfmpegDemuxer(file: Blob): Promise<string> {
  const head = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const container = getAudioContainer(head);
  if (!container) throw new OperationError('unprocessable', 'The video has an unknown format.');
  return ffmpegDemuxer({ container, codec: null });
}
