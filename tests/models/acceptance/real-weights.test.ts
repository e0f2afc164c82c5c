import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedData } from '../../support/media/shared-data.ts';
import { measureWith } from '../../support/models/graph-inference.ts';

const FILES = sharedData('models/files');
const STAND_INS = sharedData('models/standins');
const read = async (...path: string[]) => new Uint8Array(await readFile(join(...path)));

// Their twin measures the bundled network: planted-faults.test.ts.
describe('published weights pass their acceptance test', { timeout: 300_000 }, () => {
  test.skipIf(FILES.isMissing)(FILES.titled('MediaPipe selfie, for people'), async () => {
    const graph = await read(FILES.path, 'selfie_segmentation.onnx');
    const found = await measureWith('remove-bg', 'selfie-segmentation', { 'selfie-segmentation': graph });
    expect(found).toMatchObject({ passed: true });
  });

  test.skipIf(STAND_INS.isMissing)(STAND_INS.titled('U-2-Net-p, converted'), async () => {
    const graph = await read(STAND_INS.path, 'u2netp.converted.onnx');
    const found = await measureWith('remove-bg', 'u2netp', { u2netp: graph });
    expect(found).toMatchObject({ passed: true });
    expect(found.figure).toBeGreaterThan(0.86);
  });

  test.skipIf(STAND_INS.isMissing)(STAND_INS.titled('Real-ESRGAN general, converted'), async () => {
    const graph = await read(STAND_INS.path, 'realesr-general-x4v3.converted.onnx');
    const graphs = { 'realesr-general-x4v3': graph };
    expect(await measureWith('upscale', 'realesr-general-x4v3', graphs)).toMatchObject({ passed: true });
  });
});
