import { expect, it } from 'vitest';
import { listPrefetched } from '../../../../server/jobs/runner/keep-models.ts';
import { listAllEngines } from '../../../../server/runtime/acceptance/list-all-engines.ts';

const getIds = (wanted: 'small' | 'all' | 'none') =>
  listPrefetched(listAllEngines(), wanted).map(({ engine }) => engine.id);

it('fetches the engines that are free for commercial use and have 32 MB or less', () => {
  expect(getIds('small')).toEqual([
    'u2netp',
    'modnet-fp16',
    'selfie-segmentation',
    'migan-pipeline-v2',
    'realesr-general-x4v3',
    'swin2sr-lightweight-x2',
    'pyannote-segmentation-3.0-int8',
  ]);
});

it('fetches all engines that are free for commercial use, or none', () => {
  const all = getIds('all');
  expect(all).toContain('lama-fp32');
  expect(all).toContain('spleeter-4stems-fp16');
  expect(all).not.toContain('htdemucs');
  expect(all).not.toContain('birefnet-lite-fp16');
  expect(getIds('none')).toEqual([]);
});
