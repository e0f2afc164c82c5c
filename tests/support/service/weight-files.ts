import { createHash } from 'node:crypto';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';

/** Creates a card for bytes made by a test. */
export function createWeightCard(bytes: Uint8Array, card: Partial<WeightCard> = {}): WeightCard {
  return {
    id: 'test-weights',
    operation: 'remove-bg',
    role: 'test',
    url: 'http://127.0.0.1:9/nowhere.onnx',
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    licence: { name: 'CC0-1.0' },
    precision: 'fp32',
    memoryBytes: 1_000_000,
    ...card,
  };
}
