import type { Media } from '../../../models/core/operation/inputs.ts';
import { listFormats } from '../../../models/media/image/find-format.ts';

export type MediaKind = Media;

/** Extensions of all images, without dots. */
const IMAGE_EXTENSIONS: readonly string[] = listFormats().flatMap(({ extensions }) => extensions);

/** Kinds of extensions for which many systems report no media type. */
const BY_EXTENSION: Readonly<Record<string, MediaKind>> = {
  ...Object.fromEntries(IMAGE_EXTENSIONS.map((extension) => [extension, 'image' as const])),
  aac: 'audio',
  ac3: 'audio',
  aif: 'audio',
  aiff: 'audio',
  amr: 'audio',
  flac: 'audio',
  m4a: 'audio',
  opus: 'audio',
  wma: 'audio',
  mkv: 'video',
};

const NOUNS: Readonly<Record<MediaKind, string>> = { image: 'image', audio: 'audio file', video: 'video' };

/**
 * Guesses the kind of a dropped file from its type and extension, to offer the tools that fit. The operation decides
 * later by the bytes.
 */
export function mediaKind(file: { readonly name: string; readonly type: string }): MediaKind | undefined {
  const kind = /^(image|audio|video)\//.exec(file.type)?.[1];
  if (kind === 'image' || kind === 'audio' || kind === 'video') return kind;
  return BY_EXTENSION[file.name.split('.').pop()?.toLowerCase() ?? ''];
}

/** Reports whether a file's size predicts its run time. A video's size says nothing about its seconds and frames. */
export function sizeTellsTime(file: { readonly name: string; readonly type: string }): boolean {
  return mediaKind(file) !== 'video';
}

/** Names a file of a kind: `image`, `audio file`. */
export function nounOf(kind: MediaKind): string {
  return NOUNS[kind];
}

/** Names files of these kinds: `images or videos`. */
export function nounsOf(kinds: readonly MediaKind[]): string {
  return kinds.map((kind) => `${NOUNS[kind]}s`).join(' or ');
}

/** Names one of some files: by its kind where all share one, else `file`. */
export function nounFor(files: readonly { readonly name: string; readonly type: string }[]): string {
  const [kind, ...others] = new Set(files.map(mediaKind));
  return kind && others.length === 0 ? NOUNS[kind] : 'file';
}
