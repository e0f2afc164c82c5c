import { expect, test } from 'vitest';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import { audioSeparateStems } from '../../../models/operations/stems/operation.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { audioFixture } from '../../support/media/audio.ts';
import { createSeparationInference } from '../../support/models/separation.ts';

/** Separates a file without a model, and returns what its run reported. */
async function reportsOf(input: Blob): Promise<readonly Progress[]> {
  const reports: Progress[] = [];
  const inference = createSeparationInference([]);
  const { signal } = new AbortController();
  const runtime = createNodeRuntime({ signal, inference });
  const progress = (report: Progress) => void reports.push(report);
  await audioSeparateStems.execute(input, { output_format: 'wav' }, { ...runtime, progress });
  return reports;
}

/** Lists the steps by name. The end has none. */
const stepsOf = (reports: readonly Progress[]) => [...new Set(reports.flatMap(({ step }) => step ?? []))];

test('while the loudness of an MP3 is measured the page says so, and its bar moves', async () => {
  const reports = await reportsOf(await audioFixture('tone.mp3'));
  expect(stepsOf(reports)).toEqual(['measuring the loudness', 'separating']);
  const measuring = reports.filter(({ step }) => step === 'measuring the loudness');
  expect(measuring[0]?.fraction).toBe(0);
  expect(measuring.at(-1)?.fraction).toBeCloseTo(0.03, 3);
  expect(reports.at(-1)?.fraction).toBe(1);
});

test('a file that cannot be too loud is separated at once', async () => {
  expect(stepsOf(await reportsOf(await audioFixture('tone.wav')))).toEqual(['separating']);
});
