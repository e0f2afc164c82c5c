import { listFormats } from '../../models/media/image/find-format.ts';
import { TOOL_LIST } from '../studio/tools/tools.ts';

/** Media types that systems know, with their extensions. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    listFormats().map(({ mediaType, extensions }) => [mediaType, extensions.map((each) => `.${each}`)]),
  ),
  'audio/mpeg': ['.mp3'],
  'audio/mp4': ['.m4a'],
  'audio/wav': ['.wav'],
  'audio/flac': ['.flac'],
  'audio/ogg': ['.ogg', '.opus'],
  'video/mp4': ['.mp4', '.m4v'],
  'video/quicktime': ['.mov'],
  'video/webm': ['.webm'],
  'video/x-matroska': ['.mkv'],
};

/** Returns the types that some tool accepts, with their extensions: "Open with" and "Share" offer Darkroom for them. */
export function openedTypes(): Record<string, string[]> {
  const kinds = new Set<string>(TOOL_LIST.flatMap(({ takes }) => takes));
  const opened = Object.entries(EXTENSIONS).filter(([type]) => kinds.has(type.slice(0, type.indexOf('/'))));
  return Object.fromEntries(opened.map(([type, extensions]) => [type, [...extensions]]));
}
