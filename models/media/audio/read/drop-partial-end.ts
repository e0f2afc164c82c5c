import type { AudioContainer } from '../../../core/runtime/audio-facts.ts';
import { dropPartialCluster } from '../formats/drop-partial-cluster.ts';
import { dropPartialPage } from '../formats/drop-partial-page.ts';
import { isMatroska } from './declared-placement.ts';

/** Drops what a file that was cut off has of its last page or block. */
export async function dropPartialEnd(file: Blob, container: AudioContainer): Promise<Blob> {
  if (container === 'ogg') return await dropPartialPage(file);
  return isMatroska(container) ? await dropPartialCluster(file) : file;
}
