import { expect, it } from 'vitest';
import { findFirstEngine } from '../../../models/acceptance/find-acceptance-status.ts';
import type { AcceptanceStatus } from '../../../models/core/runtime/acceptances.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { OPERATIONS } from '../../../models/registry.ts';

const passed = (quality: number): AcceptanceStatus => ({
  state: 'passed',
  quality,
  seconds: 1,
  isSlow: false,
});
const FAILED: AcceptanceStatus = { state: 'failed', reason: 'It found nothing.' };

/** Finds the first engine where some weights were downloaded. */
async function getFirst(
  operation: 'remove-bg' | 'upscale' | 'audio-separate-stems',
  downloaded: readonly string[],
  standings: Readonly<Record<string, AcceptanceStatus>>,
): Promise<string | undefined> {
  const availability = async ({ id, url }: WeightCard) =>
    url === null || downloaded.includes(id) ? 'ready' : 'on-request';
  const find = async (_operation: string, engine: string) =>
    standings[engine] ?? { state: 'unknown' as const };
  return (await findFirstEngine(OPERATIONS[operation], { availability }, { find }))?.id;
}

it.each([
  ['an engine that is not measured yet comes after one that passed', { matte: passed(0.92) }, 'matte'],
  ['the best figure comes first', { matte: passed(0.92), u2netp: passed(0.95) }, 'u2netp'],
  ['a failed one is left out', { matte: passed(0.92), u2netp: FAILED }, 'matte'],
  ['one for people is left to its name', { matte: passed(0.9), 'selfie-segmentation': passed(1) }, 'matte'],
])('%s', async (_rule, standings, id) => {
  expect(await getFirst('remove-bg', ['u2netp', 'selfie-segmentation'], standings)).toBe(id);
});

it('keeps the order of engines that the input chooses among', async () => {
  const standings = { darkroom: passed(28), 'realesr-general-x4v3': passed(29) };
  expect(await getFirst('upscale', ['realesr-general-x4v3'], standings)).toBe('darkroom');
});

it('takes a method without weights where no engine passed', async () => {
  expect(await getFirst('audio-separate-stems', [], { stems: FAILED })).toBe('median-filter');
});
