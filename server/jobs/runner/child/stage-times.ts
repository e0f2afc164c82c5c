import type { Stage, TimeStage } from '../../../../models/core/runtime/stages.ts';
import type { StageTime } from './protocol.ts';

export interface StageTimes {
  readonly time: TimeStage;
  /** Lists the stages that have had a call. */
  list(): StageTime[];
}

/** Measures the stages of one run: one entry for each, however many calls there are. */
export function createStageTimes(): StageTimes {
  const times = new Map<Stage, StageTime>();
  return {
    list: () => [...times.values()],
    async time(stage, work) {
      const beganAtMs = Date.now();
      const startedAtMs = times.get(stage)?.startedAtMs ?? beganAtMs;
      const clockMs = performance.now();
      try {
        return await work();
      } finally {
        const { calls = 0, busyMs = 0 } = times.get(stage) ?? {};
        const tookMs = performance.now() - clockMs;
        times.set(stage, {
          stage,
          startedAtMs,
          endedAtMs: Date.now(),
          calls: calls + 1,
          busyMs: busyMs + tookMs,
        });
      }
    },
  };
}
