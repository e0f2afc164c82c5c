import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OPERATIONS, WEIGHTS } from '../../../models/registry.ts';
import { mirrorNames, weightFileName } from '../../../models/runtime/weight-card.ts';
import { browserOrigins } from '../../../models/weights/browser-origins.ts';
import published from '../../fixtures/weights/published.json' with { type: 'json' };
import { sharedData } from '../../support/media/shared-data.ts';

const CATALOG = sharedData('models/catalog.json');
const ADDITIONS = sharedData('models/catalog-additions.json');

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

describe('the catalogue of weights', () => {
  it('has no two files with the same name, id or content', () => {
    for (const keyOf of [
      weightFileName,
      ({ id }: { id: string }) => id,
      ({ sha256 }: { sha256: string }) => sha256,
    ]) {
      expect(new Set(WEIGHTS.map(keyOf)).size).toBe(WEIGHTS.length);
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
    const hosts = WEIGHTS.filter(({ url, needsRelay }) => url !== null && !needsRelay).map(
      ({ url }) => new URL(url ?? '').origin,
    );
    expect(browserOrigins(WEIGHTS)).toEqual(expect.arrayContaining(hosts));
    const others = browserOrigins(WEIGHTS).filter((origin) => !hosts.includes(origin));
    expect(others).toEqual(['https://*.huggingface.co', 'https://*.hf.co']);
  });

  it('agrees with the list of published weights', () => {
    expectAgreement(published);
  });

  it.skipIf(CATALOG.isMissing)(CATALOG.titled('agrees with the published catalogue'), () => {
    expectAgreement(JSON.parse(readFileSync(CATALOG.path, 'utf8')).weights);
  });

  it.skipIf(ADDITIONS.isMissing)(ADDITIONS.titled('agrees with the additions to it'), () => {
    expectAgreement(JSON.parse(readFileSync(ADDITIONS.path, 'utf8')).weights);
  });
});
