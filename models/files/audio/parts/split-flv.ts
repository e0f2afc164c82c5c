import { ByteReader } from '../formats/byte-reader.ts';
import { FlvWalk, isFlvHeader } from '../formats/flv.ts';
import { type AudioPart, PARTS_MAX, type SplitAudio } from './audio-part.ts';

/** Splits Flash videos that were joined: each begins with a header. */
export async function splitFlv(file: Blob): Promise<SplitAudio> {
  const parts: AudioPart[] = [];
  for (let start = 0; start < file.size && parts.length <= PARTS_MAX; ) {
    const rest = start === 0 ? file : file.slice(start);
    const bytes = new ByteReader(rest);
    const walk = new FlvWalk(bytes);
    for await (const _ of walk.tags());
    const isJoined = walk.at < rest.size && (await isFlvHeader(bytes, walk.at));
    const end = isJoined ? start + walk.at : file.size;
    parts.push({ file: file.slice(start, end), position: 'next', isDamaged: walk.isDamaged });
    start = end;
  }
  return { parts: parts.slice(0, PARTS_MAX), isCutOff: parts.length > PARTS_MAX };
}
