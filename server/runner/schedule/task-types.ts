/** Tasks by which earlier versions queued jobs. */
export const LEGACY_RUN_TASKS = [
  'run-job',
  'run-interactive',
  'run-long',
  'run-verdict',
  'run-batch',
] as const;

/** Names and payloads of the tasks that graphile-worker schedules: chores, and what earlier versions queued. */
export interface TaskPayloads
  extends Readonly<Record<(typeof LEGACY_RUN_TASKS)[number], { readonly id: string }>> {
  readonly 'deliver-webhook': { readonly deliveryId: string };
  readonly 'end-overdue': Record<string, never>;
  readonly 'clean-up': Record<string, never>;
  readonly purge: Record<string, never>;
  readonly reconcile: Record<string, never>;
  readonly 'top-up': Record<string, never>;
}
