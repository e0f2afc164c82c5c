import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { browserOrigins } from '../../../models/core/inference/weight-source.ts';
import {
  isRelayed,
  mirrorNames,
  needsConsent,
  weightFileName,
} from '../../../models/core/runtime/weight-card.ts';
import { REMOVE_BG_WEIGHTS } from '../../../models/matting/weights.ts';
import { OPERATIONS, WEIGHTS } from '../../../models/registry.ts';
import published from '../../fixtures/weights/published.json' with { type: 'json' };
import { sharedData } from '../../support/media/shared-data.ts';

/** Downloads of at most 8 MB whose licences leave no doubt. */
const SMALL = [
  'clip-merges',
  'clip-vocab',
  'pyannote-segmentation-3.0',
  'pyannote-segmentation-3.0-int8',
  'realesr-general-x4v3',
  'selfie-segmentation',
  'u2netp',
];

const CATALOG = sharedData('models/catalog.json');
const ADDITIONS = sharedData('models/catalog-additions.json');

/** Licence of weights, as the list of published ones has it. */
interface PublishedTerms {
  readonly id: string;
  readonly commercial: 'yes' | 'unclear' | 'no';
}

interface PublishedWeights {
  readonly id: string;
  readonly operation: string;
  readonly url: string;
  readonly bytes: number | null;
  readonly sha256: string;
}

function expectAgreement(weights: readonly PublishedWeights[]): void {
  const facts = new Map(WEIGHTS.map((card) => [card.id, card]));
  for (const { id, operation, url, bytes, sha256 } of weights) {
    const card = facts.get(id);
    // A file that comes with a dependency is fetched from nowhere.
    expect(card).toMatchObject({ operation, url: card?.url === null ? null : url, bytes, sha256 });
  }
}

function expectSameTerms(weights: readonly PublishedTerms[]): void {
  const terms = new Map<string, string>(WEIGHTS.map(({ id, licence }) => [id, licence.commercial ?? 'yes']));
  expect(weights.map(({ id }) => [id, terms.get(id)])).toEqual(
    weights.map(({ id, commercial }) => [id, commercial]),
  );
}

describe('the catalogue of weights', () => {
  it('has no two files with the same name, id or content', () => {
    for (const getKey of [
      weightFileName,
      ({ id }: { id: string }) => id,
      ({ sha256 }: { sha256: string }) => sha256,
    ]) {
      expect(new Set(WEIGHTS.map(getKey)).size).toBe(WEIGHTS.length);
    }
  });

  it('lists files of known operations only', () => {
    for (const { operation } of WEIGHTS) expect(Object.keys(OPERATIONS)).toContain(operation);
  });

  it('pins every file', () => {
    for (const { sha256 } of WEIGHTS) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('requests files from a mirror by our name first, then by the name of the publisher', () => {
    const card = WEIGHTS.find(({ id }) => id === 'sd15-inpaint-fp16/unet-model.onnx');
    expect(card && mirrorNames(card)).toEqual(['sd15-inpaint-fp16-unet-model.onnx', 'model.onnx']);
  });

  it('lists exactly the hosts that browsers fetch from', () => {
    const hosts = WEIGHTS.filter(
      ({ url, needsRelay, bytes }) => url !== null && !needsRelay && (bytes ?? 1e9) > 8e6,
    ).map(({ url }) => new URL(url ?? '').origin);
    expect(browserOrigins(WEIGHTS)).toEqual(expect.arrayContaining(hosts));
    const others = browserOrigins(WEIGHTS).filter((origin) => !hosts.includes(origin));
    expect(others).toEqual(['https://*.huggingface.co', 'https://*.hf.co']);
  });

  it('agrees with the list of published weights', () => {
    expectAgreement(published);
  });

  it('has its doubts of licences in the pages about engines and licences', () => {
    for (const page of ['engines', 'licences']) {
      const text = readFileSync(`docs/${page}.md`, 'utf8');
      const missing = WEIGHTS.filter(({ id, licence }) => licence.commercial && !text.includes(`\`${id}\``));
      expect(missing.map(({ id }) => id)).toEqual([]);
    }
  });

  it('has small files come from our own server without a question, and asks for all others', () => {
    const small = WEIGHTS.filter((card) => card.url !== null && !needsConsent(card));
    expect(small.map(({ id }) => id).toSorted()).toEqual(SMALL);
    expect(small.every(isRelayed)).toBe(true);
    const { 'isnet-general-use': doubtful, 'modnet-fp16': large } = REMOVE_BG_WEIGHTS;
    expect([doubtful, large].map(needsConsent)).toEqual([true, true]);
    expect([doubtful, large].map(isRelayed)).toEqual([true, false]);
  });

  it.skipIf(CATALOG.isMissing)(
    CATALOG.titled('agrees with the published catalogue'),
    { tags: ['long'] },
    () => {
      const { weights } = JSON.parse(readFileSync(CATALOG.path, 'utf8'));
      expectAgreement(weights);
      expectSameTerms(weights);
    },
  );

  it.skipIf(ADDITIONS.isMissing)(
    ADDITIONS.titled('agrees with the additions to it'),
    { tags: ['long'] },
    () => {
      const { weights } = JSON.parse(readFileSync(ADDITIONS.path, 'utf8'));
      expectAgreement(weights);
      expectSameTerms(weights);
    },
  );
});
