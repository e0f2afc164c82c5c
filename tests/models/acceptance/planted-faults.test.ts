import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { RECORDED } from '../../../models/acceptance/find-acceptance-status.ts';
import { sharedData } from '../../support/media/shared-data.ts';
import { encodeSegmentation } from '../../support/models/diarization.ts';
import { measureWith, readBundledGraph } from '../../support/models/graph-inference.ts';
import { FAULTS } from '../../support/models/planted-faults.ts';
import { type Splice, spliceGraph } from '../../support/models/splice-graph.ts';

const graphs: Record<string, Uint8Array<ArrayBuffer>> = {};
beforeAll(async () => {
  for (const id of ['matte', 'upscale-fast-x2', 'nsfw-mobilenet', 'silero-vad']) {
    graphs[id] = await readBundledGraph(id);
  }
});

/** Measures an engine whose graph has a fault; the graph as it is without one. */
async function measure(
  operation: Parameters<typeof measureWith>[0],
  engine: string,
  card: string,
  fault?: Splice,
) {
  const graph = graphs[card];
  if (!graph) throw new Error(`${card} was not read`);
  return await measureWith(operation, engine, { [card]: fault ? spliceGraph(graph, fault) : graph });
}

describe('an engine that finds subjects', () => {
  it('reaches its recorded figure', { tags: ['long'] }, async () => {
    const found = await measure('remove-bg', 'matte', 'matte');
    expect(found).toMatchObject({ measure: 'IoU', per: 'megapixel', passed: true });
    expect(found.figure).toBeCloseTo(RECORDED.matte.figure, 2);
    expect(found.seconds).toBeGreaterThan(0);
  });

  it.each([
    ['swapped channels', FAULTS.channelsSwapped('image')],
    ['a wrong mean', FAULTS.wrongMean('image')],
    ['transposed axes', FAULTS.axesTransposed('image')],
    ['a second sigmoid', FAULTS.sigmoidTwice('alpha')],
    ['no sigmoid', FAULTS.sigmoidMissing('alpha')],
    ['an output that is always empty', FAULTS.alwaysEmpty('alpha')],
    ['an output that is always full', FAULTS.alwaysFull('alpha')],
  ])('fails with %s', { tags: ['long'] }, async (_fault, splice) => {
    expect(await measure('remove-bg', 'matte', 'matte', splice)).toMatchObject({ passed: false });
  });
});

describe('an engine that enlarges', () => {
  it('reaches its recorded figure', { tags: ['long'] }, async () => {
    const found = await measure('upscale', 'darkroom-fast', 'upscale-fast-x2');
    expect(found).toMatchObject({ measure: 'PSNR', passed: true });
    expect(found.figure).toBeCloseTo(RECORDED['darkroom-fast'].figure, 1);
  });

  it.each([
    ['swapped channels', FAULTS.channelsSwapped('image')],
    ['a wrong mean', FAULTS.wrongMean('image')],
    ['transposed axes', FAULTS.axesTransposed('image')],
    ['an output that is always empty', FAULTS.alwaysEmpty('enlarged')],
    ['an output that is always full', FAULTS.alwaysFull('enlarged')],
  ])('fails with %s', { tags: ['long'] }, async (_fault, splice) => {
    expect(await measure('upscale', 'darkroom-fast', 'upscale-fast-x2', splice)).toMatchObject({
      passed: false,
    });
  });
});

describe('an engine that judges images', () => {
  it('reaches its recorded figure', async () => {
    const found = await measure('image-moderation', 'nsfw-mobilenet', 'nsfw-mobilenet');
    expect(found.passed).toBe(true);
    expect(found.figure).toBeCloseTo(RECORDED['nsfw-mobilenet'].figure, 2);
  });

  it.each([
    ['shuffled labels', FAULTS.labelsShuffled('probabilities', 1, [1, 2, 3, 4, 0])],
    ['two labels exchanged', FAULTS.labelsShuffled('probabilities', 1, [2, 1, 0, 3, 4])],
    ['an output that is always empty', FAULTS.alwaysEmpty('probabilities')],
    ['an output that is always full', FAULTS.alwaysFull('probabilities')],
  ])('fails with %s', async (_fault, splice) => {
    expect(await measure('image-moderation', 'nsfw-mobilenet', 'nsfw-mobilenet', splice)).toMatchObject({
      passed: false,
    });
  });
});

describe('an engine that distinguishes speakers', () => {
  it('reaches its recorded figure', { tags: ['long'] }, async () => {
    const found = await measure('audio-diarize', 'silero-speakers', 'silero-vad');
    expect(found).toMatchObject({ measure: 'DER', lowerIsBetter: true, per: 'second', passed: true });
    expect(found.figure).toBeCloseTo(RECORDED['silero-speakers'].figure, 1);
  });

  it.each([
    ['always empty', FAULTS.alwaysEmpty('output')],
    ['always full', FAULTS.alwaysFull('output')],
  ])('fails with speech that is %s', { tags: ['long'] }, async (_fault, splice) => {
    expect(await measure('audio-diarize', 'silero-speakers', 'silero-vad', splice)).toMatchObject({
      passed: false,
    });
  });
});

describe('an engine that hears turns and overlap', () => {
  const ENGINE = 'pyannote-segmentation-3.0-int8';
  const FILE = sharedData('models/files/pyannote-segmentation-3.0.int8.onnx');
  const measureGraph = (graph: Uint8Array<ArrayBuffer>) =>
    measureWith('audio-diarize', ENGINE, { [ENGINE]: graph });

  it('fails where it hears other sounds than voices', async () => {
    expect(await measureGraph(encodeSegmentation())).toMatchObject({ passed: false });
  });

  it.skipIf(FILE.isMissing)(
    FILE.titled('passes with the true network, and beats the one without'),
    { tags: ['long'] },
    async () => {
      const found = await measureGraph(new Uint8Array(await readFile(FILE.path)));
      expect(found).toMatchObject({ measure: 'DER', passed: true });
      expect(found.figure).toBeLessThan(RECORDED['silero-speakers'].figure);
    },
  );

  it.skipIf(FILE.isMissing)(
    FILE.titled('passes with other numbers for the voices of a window, which mean nothing'),
    { tags: ['long'] },
    async () => {
      const renumbered = FAULTS.labelsShuffled('y', 2, [0, 2, 1, 3, 4, 6, 5]);
      const graph = spliceGraph(new Uint8Array(await readFile(FILE.path)), renumbered);
      expect(await measureGraph(graph)).toMatchObject({ passed: true });
    },
  );

  it.skipIf(FILE.isMissing).each([
    ['a voice and two voices exchanged', FAULTS.labelsShuffled('y', 2, [0, 1, 4, 3, 2, 5, 6])],
    ['single voices shifted against those together', FAULTS.labelsShuffled('y', 2, [0, 2, 3, 1, 4, 5, 6])],
    ['pairs of voices shifted', FAULTS.labelsShuffled('y', 2, [0, 1, 2, 3, 5, 6, 4])],
    ...[1, 2, 3, 4, 5, 6].map((shift): [string, Splice] => {
      const order = Array.from({ length: 7 }, (_, at) => (at + shift) % 7);
      return [`all classes shifted by ${shift}`, FAULTS.labelsShuffled('y', 2, order)];
    }),
    ['an output that is always empty', FAULTS.alwaysEmpty('y')],
  ] satisfies [string, Splice][])(
    FILE.titled('fails with %s'),
    { tags: ['long'] },
    async (_fault, splice) => {
      const graph = spliceGraph(new Uint8Array(await readFile(FILE.path)), splice);
      expect(await measureGraph(graph)).toMatchObject({ passed: false });
    },
  );
});

describe('an engine that separates stems', () => {
  it('reaches its recorded figure', { tags: ['long'] }, async () => {
    const graph = await readBundledGraph('stems');
    const found = await measureWith('audio-separate-stems', 'stems', { stems: graph });
    expect(found).toMatchObject({ measure: 'SI-SDR', passed: true });
    expect(found.figure).toBeCloseTo(RECORDED.stems.figure, 1);
  });

  it.each([
    ['shifted stems', [1, 2, 3, 0]],
    ['vocals and drums exchanged', [1, 0, 2, 3]],
    ['bass and other exchanged', [0, 1, 3, 2]],
  ])('fails with %s', { tags: ['long'] }, async (_fault, order) => {
    const shuffled = FAULTS.labelsShuffled('masks', 1, order);
    const stems = spliceGraph(await readBundledGraph('stems'), shuffled);
    expect(await measureWith('audio-separate-stems', 'stems', { stems })).toMatchObject({ passed: false });
  });
});
