import { z } from 'zod';

const retriedTest = z.object({ project: z.string(), file: z.string(), name: z.string() });

const fileTime = z.object({
  project: z.string(),
  file: z.string(),
  /** Tests that ran: those that a filter leaves out do not count. */
  tests: z.number(),
  /** From the import of the file to the end of its last hook. */
  seconds: z.number(),
  /** Time of all processes while the file ran, shared equally among the files that ran together. */
  processorSeconds: z.number(),
});

/** The report of one run of vitest, which `run-reporter.ts` writes and `print-sum.ts` and `print-times.ts` read. */
export const testReport = z.object({
  passed: z.number(),
  failed: z.number(),
  /** Tests that passed in their second attempt. */
  retried: z.array(retriedTest),
  files: z.array(fileTime),
  seconds: z.number(),
  /** Includes what no file accounts for: the start of vitest, the build and the services that several files share. */
  processorSeconds: z.number(),
});

export type FileTime = z.infer<typeof fileTime>;
export type RetriedTest = z.infer<typeof retriedTest>;
export type TestReport = z.infer<typeof testReport>;
