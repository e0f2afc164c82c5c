import { join } from 'node:path';
import type { Storage } from '../../base/context/storage.ts';
import type { Env } from '../../base/env.ts';
import { openDiskStorage } from './disk-storage.ts';
import { reportOutages } from './report-outages.ts';

/**
 * Opens the store that the environment names: a bucket, or a folder of `DATA_DIR`. Its calls wait for the end of a
 * short outage, and then throw `OutageError`.
 */
export async function openStorage(env: Env): Promise<Storage> {
  return reportOutages(await openPlainStorage(env));
}

async function openPlainStorage(env: Env): Promise<Storage> {
  const { S3_BUCKET, S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  if (!S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) {
    return openDiskStorage(join(env.DATA_DIR, 'storage'));
  }
  // The client is large: an installation that stores results on disk need not load it.
  const { openS3Storage } = await import('./s3-storage.ts');
  return openS3Storage({
    bucket: S3_BUCKET,
    region: S3_REGION,
    endpoint: S3_ENDPOINT ?? null,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  });
}
