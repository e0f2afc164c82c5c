import { OperationError } from '../core/operation/errors.ts';
import type { Media } from '../core/operation/inputs.ts';
import type { FileFacts } from '../core/operation/result-file.ts';
import type { AudioFacts } from '../core/runtime/audio-codec.ts';
import { probeAudio } from './audio/read/probe-audio.ts';
import { findAudio } from './audio/repair/split-frames.ts';
import { detectMedia, probeVideo, type VideoFacts } from './containers/video-header.ts';
import { getFormat } from './image/find-format.ts';
import { type ImageFacts, probeImage } from './image/image-header.ts';
import { countFrames } from './image/read-contents.ts';

/** Length after which the duration of a live recording is of no interest. */
const LIVE_SECONDS_MAX = 60;

type MediaFacts = ImageFacts | VideoFacts | AudioFacts;

/**
 * Reads the header of a file of one of the kinds, without limits on its size. A signature alone does not make a file an
 * image; it suffices to refuse a file of another kind before anything else of it is read.
 * @throws OperationError `bad_request` when the bytes are no image, video or audio of a known format, or the header is
 *   damaged
 */
export async function probeMedia(file: Blob, kinds: readonly Media[]): Promise<MediaFacts> {
  const kind = await getKind(file);
  if (kind === null) {
    throw new OperationError('bad_request', 'contains no image, video or audio of a known format.');
  }
  if (!kinds.includes(kind)) {
    throw new OperationError('bad_request', `contains ${kind}, which no tool here takes.`);
  }
  if (kind === 'image') return await probeWholeImage(file);
  return await (kind === 'video' ? probeVideo(file, { secondsMax: LIVE_SECONDS_MAX }) : probeAudio(file));
}

/** Recognises the kind of a file by its first bytes; null for an unknown one. */
async function getKind(file: Blob): Promise<Media | null> {
  const media = await detectMedia(file);
  if (media !== null) return media;
  return (await findAudio(file)) ? 'audio' : null;
}

/** Probes an image and its header: where a size directly follows the signature, any bytes read as one. */
async function probeWholeImage(file: Blob): Promise<ImageFacts> {
  const facts = await probeImage(file, { pixelsMax: Number.POSITIVE_INFINITY });
  await (await getFormat(facts.format).load()).assertHeader?.(file);
  return facts;
}

/**
 * Probes a file that an operation has made, with the facts that its job shows.
 * @throws OperationError as `probeMedia`
 */
export async function probeResult(
  file: Blob,
  kinds: readonly Media[],
): Promise<MediaFacts & { readonly fileFacts: FileFacts }> {
  const facts = await probeMedia(file, kinds);
  return { ...facts, fileFacts: await describe(file, facts) };
}

async function describe(file: Blob, facts: MediaFacts): Promise<FileFacts> {
  if ('format' in facts) {
    const { width, height } = facts;
    const frames = await countFrames(file);
    return { width, height, ...(frames > 1 && { frames }) };
  }
  const duration_seconds = Math.round(facts.durationSeconds * 1000) / 1000;
  if (!('width' in facts)) return { duration_seconds };
  const { width, height, frameCount, isFrameCountExact } = facts;
  return { width, height, ...(isFrameCountExact && frameCount && { frames: frameCount }), duration_seconds };
}
