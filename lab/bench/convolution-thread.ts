import { parentPort, workerData } from 'node:worker_threads';
import { type Memory, openKernel, type Program } from '../../workers/runtime/convolution/kernel.ts';
import type { Plan } from '../../workers/runtime/convolution/plan.ts';
import { runShare } from '../../workers/runtime/convolution/run-plan.ts';

/** Data that a thread of the kernel starts with. */
export interface ThreadData {
  readonly program: Program;
  readonly memory: Memory;
  readonly index: number;
}

// A helper of the kernel in Node, as `workers/runtime/convolution/helper.ts` is in browsers.
const { program, memory, index }: ThreadData = workerData;
const thread = { kernel: openKernel(program, memory), memory, index };
parentPort?.on('message', (plan: Plan) => {
  runShare(plan, thread);
  parentPort?.postMessage('done');
});
parentPort?.postMessage('open');
