import { WEIGHTS } from '../../../models/registry.ts';
import type { Env } from '../../base/env.ts';

/** Runner, as far as its models go. */
interface ModelHolder {
  readonly host: string;
  readonly facts: { readonly weights: readonly string[] };
}

export interface ModelState {
  readonly id: string;
  readonly operationId: string;
  /** null: unknown before the download. */
  readonly bytes: number | null;
  /** Whether it ships with the service. */
  readonly isBundled: boolean;
  /** Whether an inference server runs it. */
  readonly isServed: boolean;
  /** Machines with a live runner that has the file. */
  readonly hosts: number;
}

/** Lists all models with the number of machines that can run them without a download. */
export function listModels(runners: readonly ModelHolder[], env: Env): ModelState[] {
  return WEIGHTS.map(({ id, operation, bytes, url }) => ({
    id,
    operationId: operation,
    bytes,
    isBundled: url === null,
    isServed: env.INFERENCE_ENDPOINTS.has(id),
    hosts: new Set(runners.filter(({ facts }) => facts.weights.includes(id)).map(({ host }) => host)).size,
  }));
}
