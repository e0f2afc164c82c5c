import type { Media } from '../../../models/core/operation/inputs.ts';
import type { Context } from '../../base/context.ts';

/** Media type of bytes that no operation reads. */
export const UNKNOWN_TYPE = 'application/octet-stream';

const MEDIA: readonly Media[] = ['image', 'video', 'audio'];
/** Longest wait for a process that is free: an upload is accepted whatever it holds. */
const WAIT_MS = 30_000;
/**
 * Longest time of the probe itself: each request probes its input itself. It is less than what counts as a failure of
 * the account.
 */
const PROBE_MS = 2_000;

/** Finds the media type of a file by its bytes; {@link UNKNOWN_TYPE} where its header cannot be read. Never rejects. */
export async function findMediaType(
  { prober, log }: Pick<Context, 'prober' | 'log'>,
  owner: string,
  path: string,
): Promise<string> {
  const ended = new AbortController();
  const endAfter = (milliseconds: number) => setTimeout(() => ended.abort(), milliseconds);
  let timer = endAfter(WAIT_MS);
  const onStart = () => {
    clearTimeout(timer);
    timer = endAfter(PROBE_MS);
  };
  const probed = prober?.probe({ path, media: MEDIA }, { owner, signal: ended.signal, log, onStart });
  const facts = await probed?.catch(() => undefined);
  clearTimeout(timer);
  return facts?.mediaType ?? UNKNOWN_TYPE;
}
