import { audioContainerOf, SIGNATURE_BYTES } from '../../../models/media/audio/formats/audio-container.ts';
import { videoContainerOf } from '../../../models/media/containers/video-header.ts';
import { getFormat, imageFormatOf } from '../../../models/media/image/find-format.ts';
import { type MediaKind, mediaKind } from './media-kind.ts';

/** Shortest file that can be of a known format. */
const BYTES_MIN = 12;

/** A file, and its kind by its first bytes: undefined where those are of no known format. */
export interface RecognisedFile {
  /** Has the media type of its bytes. */
  readonly file: File;
  readonly kind: MediaKind | undefined;
}

/**
 * Recognises files by their first bytes. Name and media type decide only where a container may hold sound alone or
 * frames as well. Never rejects: a file that cannot be read is of no kind.
 */
export function recogniseByBytes(files: readonly File[]): Promise<readonly RecognisedFile[]> {
  return Promise.all(files.map((file) => recogniseFile(file).catch(() => ({ file, kind: undefined }))));
}

async function recogniseFile(file: File): Promise<RecognisedFile> {
  const head = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const found = head.length < BYTES_MIN ? null : typeOf(head, mediaKind(file) === 'audio');
  if (!found) return { file, kind: undefined };
  const [kind, type] = found;
  if (file.type.startsWith(`${kind}/`) && kind !== 'image') return { file, kind };
  // The bytes stay where they are: a file of a file is a view.
  const typed =
    file.type === type ? file : new File([file], file.name, { type, lastModified: file.lastModified });
  return { file: typed, kind };
}

function typeOf(head: Uint8Array, isNamedAudio: boolean): [MediaKind, string] | null {
  const image = imageFormatOf(head);
  if (image) return ['image', getFormat(image).mediaType];
  const container = audioContainerOf(head);
  if (!container) return null;
  const mayHoldFrames = videoContainerOf(head) !== null;
  const kind = mayHoldFrames && !isNamedAudio ? 'video' : 'audio';
  return [kind, `${kind}/${container}`];
}
