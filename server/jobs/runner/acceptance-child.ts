import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { getMessage } from '../../../models/core/operation/errors.ts';
import { watchChild } from '../../base/children/watch-child.ts';
import { readEnv } from '../../base/env.ts';
import { AcceptanceStore } from '../../runtime/acceptance/index.ts';
import { NodeAcceptances } from '../../runtime/acceptance/node-acceptances.ts';
import { openInference } from '../../runtime/inference/index.ts';

/** Process that measures one engine, so that its peak of memory is the engine's own. It may be killed at any moment. */

export interface MeasureRequest {
  readonly operationId: string;
  readonly engine: string;
}

/** Message of the child. The result itself is in the store. */
export type MeasureMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'measured' }
  | { readonly kind: 'broken'; readonly detail: string };

function send(message: MeasureMessage): void {
  process.send?.(message);
}

/** Makes this process a child that measures on request, until its parent is gone. */
export function serve(operations: Record<string, Operation>): void {
  // A measurement may compute for minutes.
  watchChild(0);
  const env = readEnv();
  const inference = openInference(env);
  const store = new AcceptanceStore(env);
  const acceptances = new NodeAcceptances({ operations, store, inference, isAlone: true });
  const { signal } = new AbortController();
  process.on('message', ({ operationId, engine }: MeasureRequest) => {
    acceptances.measure(operationId, engine, { signal }).then(
      () => send({ kind: 'measured' }),
      (thrown: unknown) => send({ kind: 'broken', detail: getMessage(thrown) }),
    );
  });
  send({ kind: 'ready' });
}
