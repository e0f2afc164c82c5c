import { OperationError } from '../errors.ts';
import { ByteWindow } from './byte-window.ts';
import { imageFormatOf } from './image-header.ts';
import { readIsoMovie } from './video-header/iso-movie.ts';
import { readMatroska } from './video-header/matroska.ts';
import type { MovieHeader } from './video-header/movie-header.ts';

export type VideoContainer = 'mp4' | 'mov' | 'webm' | 'mkv';

export interface VideoFacts extends MovieHeader {
  readonly container: VideoContainer;
  readonly mediaType: string;
  /** Frames a second, over the whole; null where the header does not tell. */
  readonly frameRate: number | null;
}

const MEDIA_TYPES: Readonly<Record<VideoContainer, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
};

const SIGNATURE_BYTES = 64;
/** 64 MB: a live recording says how long it is nowhere but in its last frames. */
const READS_MAX = 16_384;

/** The container that the first bytes (64 are enough) tell, or null. Names and media types play no part. */
export function videoContainerOf(head: Uint8Array): VideoContainer | null {
  const text = String.fromCharCode(...head.subarray(0, SIGNATURE_BYTES));
  if (text.startsWith('\x1a\x45\xdf\xa3')) return text.includes('webm') ? 'webm' : 'mkv';
  const box = text.slice(4, 8);
  if (box === 'ftyp') return text.slice(8, 12) === 'qt  ' ? 'mov' : 'mp4';
  return /^(moov|mdat|wide|free|skip)$/.test(box) ? 'mov' : null;
}

/** What a file is by its first bytes, or null. */
export async function mediaOf(file: Blob): Promise<'image' | 'video' | null> {
  const head = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer());
  if (head.length < 12) return null;
  if (imageFormatOf(head) !== null) return 'image';
  return videoContainerOf(head) === null ? null : 'video';
}

/**
 * Tells size, length and tracks from header bytes, of live recordings from the headers of their parts. Made for
 * untrusted bytes: it reads at most 64 MB, a few kB at a time.
 * @param secondsMax reading on for the length of a live recording ends beyond it
 * @throws OperationError `bad_request` when the bytes are no video of a known container, or the header is damaged
 */
export async function probeVideo(video: Blob, { secondsMax }: { secondsMax: number }): Promise<VideoFacts> {
  const head = new Uint8Array(await video.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const container = head.length < 12 ? null : videoContainerOf(head);
  if (!container) {
    throw new OperationError(
      'bad_request',
      'The video is of no known format. Send an MP4, MOV, WebM or MKV file.',
    );
  }
  const bytes = new ByteWindow(video, { noun: 'video', readsMax: READS_MAX });
  const isIso = container === 'mp4' || container === 'mov';
  const movie = isIso ? await readIsoMovie(bytes) : await readMatroska(bytes, secondsMax);
  const { width, height, durationSeconds, frameCount } = movie;
  if (!(width > 0 && height > 0)) {
    throw new OperationError('bad_request', 'The file has no pictures. Send a video with a picture track.');
  }
  if (!(durationSeconds > 0 && Number.isFinite(durationSeconds))) {
    throw new OperationError('bad_request', 'The video does not say how long it is. Export it anew.');
  }
  const frameRate = frameCount === null ? null : frameCount / durationSeconds;
  return { container, mediaType: MEDIA_TYPES[container], ...movie, frameRate };
}
