import { TOOL_LIST } from '../tools/tools.ts';
import { type MediaKind, mediaKind } from './media-kind.ts';

const SIGNATURE_BYTES = 64;
const A: Readonly<Record<MediaKind, string>> = {
  image: 'an image',
  audio: 'an audio file',
  video: 'a video',
};

/**
 * Returns the media type of an image or a video by its bytes; null for anything else, and where the definitions, which
 * load on first use, cannot be loaded.
 */
async function typeByBytes(file: Blob): Promise<string | null> {
  try {
    const [{ imageFormatOf }, { VIDEO_MEDIA_TYPES, videoContainerOf }] = await Promise.all([
      import('../../../models/files/headers/image-header.ts'),
      import('../../../models/files/containers/video-header.ts'),
    ]);
    const head = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer());
    if (head.length < 12) return null;
    const format = imageFormatOf(head);
    if (format) return `image/${format}`;
    const container = videoContainerOf(head);
    return container && VIDEO_MEDIA_TYPES[container];
  } catch {
    return null;
  }
}

/**
 * Returns the file under the type of its bytes where its name says something else: a video that is named `.jpg`. Sound
 * stays as it is named, since it comes in the containers of videos.
 */
export async function trulyTyped(file: File): Promise<File> {
  const named = mediaKind(file);
  const type = named === 'audio' ? null : await typeByBytes(file);
  if (type === null || type.startsWith(`${named}/`)) return file;
  return new File([file], file.name, { type, lastModified: file.lastModified });
}

/**
 * Names a file that a tool does not accept, with the reason where its name misleads.
 * @param given as it was added
 * @param file under its true type
 */
export function describeRefused(given: File, file: File): string {
  const [named, kind] = [mediaKind(given), mediaKind(file)];
  const tool = TOOL_LIST.find(({ takes }) => kind && takes.includes(kind));
  if (!named || !kind || !tool || named === kind) return given.name;
  const ending = given.name.split('.').pop();
  return `${given.name} (this is named .${ending} but is ${A[kind]}: open it in ${tool.name})`;
}
