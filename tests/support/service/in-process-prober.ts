import { openAsBlob } from 'node:fs';
import { probeMedia, probeResult } from '../../../models/media/probe-media.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import type { Operations, Prober } from '../../../server/base/context.ts';

/** Probes in this process, for tests that are not about hostile files: a child process takes a while to start. */
export function createInProcessProber(operations: Operations = OPERATIONS): Prober {
  return {
    async probe({ operationId, path, media, isResult }) {
      const read = isResult ? probeResult : probeMedia;
      if (operationId === undefined) return await read(await openAsBlob(path), media);
      const operation = operations[operationId];
      if (!operation) throw new Error(`${operationId}: unknown operation`);
      return await operation.probe(await openAsBlob(path), media);
    },
  };
}
