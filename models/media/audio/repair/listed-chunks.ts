import type { AviChunk } from '../formats/riff/avi.ts';
import type { AviGap } from './avi-gaps.ts';

const HEAD_BYTES = 8;

/** Lists the chunks that each gap had by the index. Both are in order, and chunks lie one behind the other. */
export function listedChunks(
  gaps: readonly Pick<AviGap, 'start' | 'end'>[],
  index: readonly AviChunk[],
): AviChunk[][] {
  let next = 0;
  return gaps.map(({ start, end }) => {
    const chunks: AviChunk[] = [];
    for (; next < index.length; next++) {
      const chunk = index[next];
      if (chunk.at + HEAD_BYTES + chunk.size > end) break;
      if (chunk.at >= start) chunks.push(chunk);
    }
    return chunks;
  });
}
