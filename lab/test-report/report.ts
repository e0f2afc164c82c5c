import { z } from 'zod';

const namedTest = z.object({ project: z.string(), file: z.string(), name: z.string() });

const failure = namedTest.extend({
  /** Errors of its attempts, joined by line breaks. */
  message: z.string(),
});

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

/** The report of one run of vitest, which `run-reporter.ts` makes and `print-times.ts` reads. */
export const testReport = z.object({
  passed: z.number(),
  /** Failed tests. A file or a run that fails outside of its tests is one failure with an empty name. */
  failures: z.array(failure),
  /** Tests that passed in their second attempt. */
  retried: z.array(failure),
  files: z.array(fileTime),
  seconds: z.number(),
  /** Includes what no file accounts for: the start of vitest, the build and the services that several files share. */
  processorSeconds: z.number(),
});

export type FileTime = z.infer<typeof fileTime>;
export type NamedTest = z.infer<typeof namedTest>;
export type TestFailure = z.infer<typeof failure>;
export type TestReport = z.infer<typeof testReport>;
