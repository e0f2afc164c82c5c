import { expose } from 'comlink';
import { type Memory, openKernel, type Program } from './kernel.ts';
import type { Plan } from './plan.ts';
import { runShare, type Thread } from './run-plan.ts';

let thread: Thread | undefined;

/** Does shares of a session's plans, next to the worker that runs it. */
const helper = {
  open(program: Program, memory: Memory, index: number): void {
    thread = { kernel: openKernel(program, memory), memory, index };
  },
  share(plan: Plan): void {
    if (thread) runShare(plan, thread);
  },
};

expose(helper);

export type HelperWorker = typeof helper;
