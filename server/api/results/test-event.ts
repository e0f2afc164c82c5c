import { randomUUID } from 'node:crypto';
import type { JobView } from '../../../models/core/operation/job-view.ts';

/** Ends of a job that a test event may tell of. */
export const TEST_OUTCOMES = ['completed', 'failed', 'error'] as const;
export type TestOutcome = (typeof TEST_OUTCOMES)[number];

const ENDS = {
  completed: { status: 'COMPLETED', error: null, code: null, field: null },
  failed: {
    status: 'FAILED',
    error: 'The image cannot be decoded: this is a test event.',
    code: 'unprocessable',
    field: 'image_url',
  },
  error: {
    status: 'ERROR',
    error: 'processing_failed: this is a test event.',
    code: 'internal',
    field: null,
  },
} as const;

/** Builds a whole job that never ran, as the body of a webhook. */
export function buildTestEvent(outcome: TestOutcome): JobView {
  const now = new Date().toISOString();
  return {
    request_id: `test_${randomUUID().replaceAll('-', '')}`,
    model_id: 'media-convert-image',
    test: true,
    ...ENDS[outcome],
    output:
      outcome === 'completed'
        ? { media_url: ['https://test.invalid/output.avif'], media_type: 'image/avif' }
        : null,
    created_at: now,
    updated_at: now,
    completed_at: now,
    progress: outcome === 'completed' ? 1 : 0,
    billing: { held_usd: '0.00', charged_usd: '0.00' },
    warnings: [],
    engine: null,
    engine_licence: null,
    output_delivery: [],
    receipt: null,
    run_on: 'service',
    cached: false,
    reference: null,
    metadata: {},
  };
}
