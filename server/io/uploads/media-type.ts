import type { Media } from '../../../models/core/operation/inputs.ts';
import type { Context } from '../../base/context/context.ts';
import { createTimeoutSignal } from '../../base/signals.ts';

/** Media type of bytes that no operation reads. */
export const UNKNOWN_TYPE = 'application/octet-stream';

const MEDIA: readonly Media[] = ['image', 'video', 'audio'];
/** Longest time for it: an upload is accepted whatever it holds, and each request probes its input itself. */
const PROBE_MS = 2_000;

/** Finds the media type of a file by its bytes; {@link UNKNOWN_TYPE} where its header cannot be read. Never rejects. */
export async function findMediaType(
  { prober, log }: Pick<Context, 'prober' | 'log'>,
  owner: string,
  path: string,
): Promise<string> {
  const signal = createTimeoutSignal(PROBE_MS);
  const probed = prober?.probe({ path, media: MEDIA }, { owner, signal, log });
  return (await probed?.catch(() => undefined))?.mediaType ?? UNKNOWN_TYPE;
}
