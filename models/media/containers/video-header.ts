import { OperationError } from '../../core/operation/errors.ts';
import { assertNotEmpty, ByteWindow } from '../bytes/byte-window.ts';
import { getImageFormat } from '../image/find-format.ts';
import { assertBoundedTables } from './assert-bounded-tables.ts';
import { readIsoMovie } from './iso-movie.ts';
import { readMatroska } from './matroska.ts';
import type { MovieHeader } from './movie-header.ts';

export type VideoContainer = 'mp4' | 'mov' | 'webm' | 'mkv';

export interface VideoFacts extends Omit<MovieHeader, 'shapes'> {
  readonly container: VideoContainer;
  readonly mediaType: string;
  /** Mean frames per second; null where the header has none. */
  readonly frameRate: number | null;
}

const MEDIA_TYPES: Readonly<Record<VideoContainer, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
};

const SIGNATURE_BYTES = 64;
/** 64 MB: a live recording states its duration nowhere but in its last frames. */
const READS_MAX = 16_384;

/**
 * Recognises a container by the first bytes (64 are enough); null for an unknown one. Names and media types play no
 * part.
 */
export function getVideoContainer(head: Uint8Array): VideoContainer | null {
  const text = String.fromCharCode(...head.subarray(0, SIGNATURE_BYTES));
  if (text.startsWith('\x1a\x45\xdf\xa3')) return text.includes('webm') ? 'webm' : 'mkv';
  const box = text.slice(4, 8);
  if (box === 'ftyp') return text.slice(8, 12) === 'qt  ' ? 'mov' : 'mp4';
  return /^(moov|mdat|wide|free|skip)$/.test(box) ? 'mov' : null;
}

/** Recognises the kind of a file by its first bytes; null for an unknown one. */
export async function detectMedia(file: Blob): Promise<'image' | 'video' | null> {
  const head = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer());
  if (head.length < 12) return null;
  if (getImageFormat(head) !== null) return 'image';
  return getVideoContainer(head) === null ? null : 'video';
}

/**
 * Reads size, duration and tracks from header bytes; for live recordings, from the headers of their clusters. Built
 * for untrusted bytes: reads at most 64 MB, a few kB at a time, and counts boxes and elements. Mediabunny (1.61) has
 * no such bounds, and probing runs in the server process: an MP4 of 7 MB with 10,000 tracks took it 220 s and 0.9 GB
 * (0.4 s here), one of 35 MB with 50,000 tracks crashed the process at 4 GB of heap, an 11 kB file whose `stts`
 * counts 2^32 samples ran for over 45 s, and a live WebM of 6 MB with 10^6 blocks took 37 s (0.7 s here). Mediabunny
 * also misses the duration of the last frame of a WebM: 0.44 s instead of 0.48 s.
 * @param secondsMax bound for measuring the duration of a live recording
 * @throws OperationError `bad_request` when the bytes are no video of a known container, or the header is damaged
 */
export async function probeVideo(video: Blob, options: { secondsMax: number }): Promise<VideoFacts> {
  const { shapes: _, ...facts } = await readMovie(video, options);
  return facts;
}

/** Reads the header of a video, with the shapes of its pictures. @throws OperationError as `probeVideo` */
export async function readMovie(
  video: Blob,
  { secondsMax }: { secondsMax: number },
): Promise<VideoFacts & Pick<MovieHeader, 'shapes'>> {
  assertNotEmpty(video, 'video');
  const head = new Uint8Array(await video.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const container = head.length < 12 ? null : getVideoContainer(head);
  if (!container) {
    throw new OperationError(
      'bad_request',
      'The video has an unknown format. Send an MP4, MOV, WebM or MKV file.',
      { kind: 'unknown_format' },
    );
  }
  const isIso = container === 'mp4' || container === 'mov';
  if (isIso) await assertBoundedTables(video);
  const bytes = new ByteWindow(video, { noun: 'video', readsMax: READS_MAX });
  const movie = isIso ? await readIsoMovie(bytes) : await readMatroska(bytes, secondsMax);
  const { width, height, durationSeconds, frameCount } = movie;
  if (!(width > 0 && height > 0)) {
    throw new OperationError('bad_request', 'The file has no video track. Send a file with one.', {
      kind: 'no_video',
    });
  }
  if (!(durationSeconds > 0 && Number.isFinite(durationSeconds))) {
    throw new OperationError('bad_request', 'The video does not state its duration. Export it again.', {
      kind: 'damaged',
    });
  }
  const frameRate = frameCount === null ? null : frameCount / durationSeconds;
  return { container, mediaType: MEDIA_TYPES[container], ...movie, frameRate };
}
