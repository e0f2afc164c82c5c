import type { FocusEvent, PointerEvent } from 'react';
import type { OperationId } from '../../../models/registry.ts';

/** Handlers of what a visitor reaches for before a run. */
export interface Approach {
  readonly onPointerEnter: (event: PointerEvent<HTMLElement>) => void;
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
}

/** Time that a pointer rests on an element whose visitor means it. */
const REST_MS = 150;

/** Reports whether the visitor asked the browser to save data. */
export function isSavingData(): boolean {
  const { connection }: Navigator & { connection?: { saveData: boolean } } = navigator;
  return connection?.saveData === true;
}

/**
 * Lets a worker load what a tool's run needs, unless the visitor saves data. Never rejects: a run without a prepared
 * worker starts one, and says what is missing.
 */
export async function prepareTool(operationId: OperationId): Promise<void> {
  if (isSavingData()) return;
  const loaded = await import('../../../workers/operation/run-operation.ts').catch(() => undefined);
  loaded?.prepareRun(operationId);
}

/** Prepares a tool as soon as a pointer rests on an element, or the keyboard reaches it. */
export function prepareOnApproach(operationId: OperationId): Approach {
  const prepareAfterRest = ({ currentTarget }: PointerEvent<HTMLElement> | FocusEvent<HTMLElement>) => {
    const leaving = new AbortController();
    const resting = setTimeout(() => {
      leaving.abort();
      void prepareTool(operationId);
    }, REST_MS);
    for (const type of ['pointerleave', 'blur']) {
      currentTarget.addEventListener(type, () => clearTimeout(resting), {
        once: true,
        signal: leaving.signal,
      });
    }
  };
  return { onPointerEnter: prepareAfterRest, onFocus: prepareAfterRest };
}
