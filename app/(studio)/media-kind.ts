export type MediaKind = 'image' | 'audio' | 'video';

/** Extensions for which many systems give no media type. */
const BY_EXTENSION: Readonly<Record<string, MediaKind>> = {
  avif: 'image',
  bmp: 'image',
  heic: 'image',
  heif: 'image',
  tif: 'image',
  tiff: 'image',
  flac: 'audio',
  m4a: 'audio',
  opus: 'audio',
  mkv: 'video',
};

const NOUNS: Readonly<Record<MediaKind, string>> = { image: 'picture', audio: 'sound file', video: 'video' };

/** What a dropped file seems to be, to offer what fits. Its bytes decide later, where it is opened. */
export function mediaKind(file: { readonly name: string; readonly type: string }): MediaKind | undefined {
  const kind = /^(image|audio|video)\//.exec(file.type)?.[1];
  if (kind === 'image' || kind === 'audio' || kind === 'video') return kind;
  return BY_EXTENSION[file.name.split('.').pop()?.toLowerCase() ?? ''];
}

/** What such files are called: `pictures or videos`. */
export function nounsOf(kinds: readonly MediaKind[]): string {
  return kinds.map((kind) => `${NOUNS[kind]}s`).join(' or ');
}

/** What one of some files is called: by its kind where all are of one, else `file`. */
export function nounFor(files: readonly { readonly name: string; readonly type: string }[]): string {
  const [kind, ...others] = new Set(files.map(mediaKind));
  return kind && others.length === 0 ? NOUNS[kind] : 'file';
}
