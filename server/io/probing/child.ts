import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { probeMedia, probeResult } from '../../../models/media/probe-media.ts';
import { STUCK_SECONDS, watchChild } from '../../base/children/watch-child.ts';
import type { ProbeRequest } from '../../base/context.ts';
import { openFile } from '../../base/open-file.ts';
import { provideNodeFfmpeg } from '../../base/provide-ffmpeg.ts';
import type { ProbeMessage } from './protocol.ts';

/** Process that probes files one at a time, driven over IPC. It may be killed at any moment. */

function send(message: ProbeMessage): void {
  process.send?.(message);
}

async function probe(
  operations: Record<string, Operation>,
  { operationId, path, media, isResult }: ProbeRequest,
): Promise<ProbeMessage> {
  if (operationId === undefined) {
    const read = isResult ? probeResult : probeMedia;
    return { kind: 'facts', facts: await read(await openFile(path), media) };
  }
  const operation = operations[operationId];
  if (!operation) throw new Error(`${operationId}: unknown operation`);
  return { kind: 'facts', facts: await operation.probe(await openFile(path), media) };
}

function describe(thrown: unknown): ProbeMessage {
  if (thrown instanceof OperationError) {
    return { kind: 'refused', code: thrown.code, message: thrown.message };
  }
  return { kind: 'broken', detail: thrown instanceof Error ? (thrown.stack ?? '') : String(thrown) };
}

/** Makes this process a child that probes files on request, until its parent is gone. */
export function serve(operations: Record<string, Operation>): void {
  watchChild(STUCK_SECONDS);
  provideNodeFfmpeg();
  process.on('message', (request: ProbeRequest) => {
    probe(operations, request).then(send, (thrown: unknown) => send(describe(thrown)));
  });
  send({ kind: 'ready' });
}
