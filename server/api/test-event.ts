import { randomUUID } from 'node:crypto';
import type { JobView } from '../../models/core/operation/job-view.ts';

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

const URL = 'https://test.invalid/output.avif';
const FILE = { url: URL, name: 'photo.avif', media_type: 'image/avif', bytes: 1_000, sha256: '0'.repeat(64) };
const OUTPUT = {
  media_url: [URL],
  media_type: FILE.media_type,
  files: [{ ...FILE, width: 160, height: 120 }],
};

/** Builds a whole job that never ran, as the body of a webhook. */
export function buildTestEvent(outcome: TestOutcome): JobView {
  const now = new Date().toISOString();
  return {
    request_id: `test_${randomUUID().replaceAll('-', '')}`,
    model_id: 'media-convert-image',
    test: true,
    ...ENDS[outcome],
    output: outcome === 'completed' ? OUTPUT : null,
    created_at: now,
    started_at: now,
    updated_at: now,
    completed_at: now,
    deleted_at: null,
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
