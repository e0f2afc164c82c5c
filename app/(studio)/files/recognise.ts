import { mediaKind } from './media-kind.ts';

/** Bytes that the signatures of all formats need. */
const HEAD_BYTES = 64;
/** Shortest head that is read: the brand of a HEIC file ends there. */
const HEAD_BYTES_MIN = 12;
const UNTYPED = ['', 'application/octet-stream'];

/** Gives files whose kind neither system nor name tells the media type of their first bytes, where those are known. */
export function recognise(files: readonly File[]): Promise<readonly File[]> {
  return Promise.all(files.map(recogniseFile));
}

async function recogniseFile(file: File): Promise<File> {
  if (mediaKind(file) || !UNTYPED.includes(file.type)) return file;
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const type = head.length < HEAD_BYTES_MIN ? null : await typeOf(head);
  return type ? new File([file], file.name, { type, lastModified: file.lastModified }) : file;
}

/** Loads the signatures only here: nearly every file has a type. */
async function typeOf(head: Uint8Array): Promise<string | null> {
  const [{ imageFormatOf }, { videoContainerOf }] = await Promise.all([
    import('../../../models/files/headers/image-header.ts'),
    import('../../../models/files/containers/video-header.ts'),
  ]);
  const image = imageFormatOf(head);
  if (image) return `image/${image}`;
  const video = videoContainerOf(head);
  return video && `video/${video}`;
}
