import type { Env } from '../../base/env.ts';

/** Says that an engine needs more memory than the settings allow. */
export function describeMemoryShortage(
  bytes: number,
  { INFERENCE_MEMORY_MB }: Pick<Env, 'INFERENCE_MEMORY_MB'>,
) {
  const megabytes = Math.ceil(bytes / 1_000_000);
  return `It needs ${megabytes} MB of memory, and INFERENCE_MEMORY_MB allows ${INFERENCE_MEMORY_MB}.`;
}
