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

/** What a dropped file seems to be, to offer what fits. Its bytes decide later, where it is opened. */
export function mediaKind(file: { readonly name: string; readonly type: string }): MediaKind | undefined {
  const kind = /^(image|audio|video)\//.exec(file.type)?.[1];
  if (kind === 'image' || kind === 'audio' || kind === 'video') return kind;
  return BY_EXTENSION[file.name.split('.').pop()?.toLowerCase() ?? ''];
}
