import type { Json } from '../../../models/core/operation/json.ts';
import type { RunWarning } from '../../../models/core/runtime/run-warnings.ts';

/** Outcome of a run, as plain data that leaves the page. */
export type PageOutcome =
  | {
      readonly ok: true;
      readonly mediaType: string;
      readonly engine: string;
      readonly warnings: readonly RunWarning[];
      readonly details: Readonly<Record<string, Json>>;
      readonly base64: string;
    }
  | { readonly ok: false; readonly name: string; readonly code: string; readonly message: string };

/** Output of a model, and the provider that ran it. */
export interface Inferred<Values> {
  readonly provider: string;
  readonly notices: readonly RunWarning[];
  readonly values: Values;
}
