/**
 * Processor time of the files of long tests that take most of it, in seconds, as `print-times.ts` printed it. A file
 * that is missing here makes parts less even, and nothing worse.
 */
export const HEAVY_FILES: Readonly<Record<string, number>> = {
  'tests/system/toy-operation.test.ts': 100,
  'tests/studio/pages/pages.test.ts': 70,
  'tests/workers/audio.test.ts': 55,
  'tests/http/remove-bg-batch/202.test.ts': 51,
  'tests/studio/tools/stems.test.ts': 42,
  'tests/studio/tools/upscale.test.ts': 42,
  'tests/studio/browser/offline.test.ts': 41,
  'tests/abuse/http/wrong-inputs.test.ts': 38,
  'tests/chaos/kill.test.ts': 38,
  'tests/server/runner/acceptance/mirrored.test.ts': 38,
  'tests/studio/workbench/live.test.ts': 36,
  'tests/studio/workbench/server-offer.test.ts': 36,
  'tests/studio/tools/cutout-file.test.ts': 35,
  'tests/studio/tools/extend.test.ts': 35,
  'tests/studio/tools/engine-choice.test.ts': 29,
  'tests/studio/tools/upscale-regions.test.ts': 29,
  'tests/clients/readme.test.ts': 28,
  'tests/studio/tools/safety.test.ts': 26,
  'tests/studio/tools/who-spoke.test.ts': 26,
  'tests/app/service/server-run.test.ts': 25,
  'tests/studio/browser/limited-browsers.test.ts': 24,
  'tests/studio/tools/remove-bg-video.test.ts': 24,
  'tests/studio/tools/remove-bg.test.ts': 24,
  'tests/studio/pages/docs.test.ts': 23,
  'tests/models/acceptance/planted-faults-published.test.ts': 22,
  'tests/server/embedded/start.test.ts': 22,
  'tests/studio/tools/draft.test.ts': 22,
  'tests/studio/workbench/device-fit.test.ts': 22,
  'tests/studio/workbench/session.test.ts': 22,
  'tests/workers/bridge.test.ts': 22,
  'tests/workers/shared-data.test.ts': 21,
  'tests/studio/pages/navigation.test.ts': 20,
  'tests/studio/tools/convert.test.ts': 20,
  'tests/studio/tools/who-spoke-edits.test.ts': 20,
  'tests/models/acceptance/planted-faults.test.ts': 19,
  'tests/models/audio-separate-stems/spleeter.test.ts': 19,
  'tests/operations/audio-diarize/one-voice-a-channel.test.ts': 18,
  'tests/server/runner/lanes.test.ts': 18,
  'tests/studio/tools/recording.test.ts': 18,
  'tests/system/customer.test.ts': 18,
  'tests/studio/workbench/workbench.test.ts': 17,
  'tests/operations/media-convert-image/quality.test.ts': 16,
  'tests/studio/tools/remove-bg-video-result.test.ts': 16,
  'tests/system/dashboard-pages.test.ts': 16,
  'tests/system/several-machines.test.ts': 16,
  'tests/clients/examples.test.ts': 15,
  'tests/server/runtime/audio/memory.test.ts': 14,
  'tests/studio/browser/new-version.test.ts': 14,
  'tests/workers/remove-bg-video.test.ts': 14,
  'tests/server/process/keep-postgres.test.ts': 13,
  'tests/operations/remove-bg/memory.test.ts': 12,
  'tests/studio/browser/install.test.ts': 12,
  'tests/workers/upscale.test.ts': 12,
  'tests/http/remove-bg-batch/killed-runner.test.ts': 11,
  'tests/studio/accessibility/zoom.test.ts': 11,
  'tests/studio/tools/remove-bg-placement.test.ts': 11,
  'tests/workers/golden.test.ts': 11,
  'tests/operations/audio-diarize/harmless-trouble.test.ts': 10,
  'tests/studio/tools/upscale-loupe.test.ts': 10,
};

/** Time of a file that is not listed. */
const OTHERS_SECONDS = 4;

/** Returns about how much processor time a test file takes, in seconds. */
export function heavinessOf(file: string): number {
  return HEAVY_FILES[file] ?? OTHERS_SECONDS;
}

/**
 * Deals test files into parts that take about the same time: the heaviest file first, each to the part that has least.
 * @param files paths from the root of the repository; their order does not matter
 */
export function dealFiles(files: readonly string[], count: number): readonly (readonly string[])[] {
  const parts = Array.from({ length: count }, () => ({ seconds: 0, files: [] as string[] }));
  const ordered = files.toSorted().toSorted((one, other) => heavinessOf(other) - heavinessOf(one));
  for (const file of ordered) {
    const lightest = parts.reduce((least, part) => (part.seconds < least.seconds ? part : least));
    lightest.files.push(file);
    lightest.seconds += heavinessOf(file);
  }
  return parts.map((part) => part.files);
}
