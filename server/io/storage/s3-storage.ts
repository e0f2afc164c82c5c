import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { ByteRange, Storage, StoredObject } from '../../base/storage.ts';
import { assertStorageKey, missingObject } from './storage-key.ts';

export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** null: AWS itself. */
  readonly endpoint: string | null;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const PART_BYTES = 8 * 1024 * 1024;

/** Opens a bucket of any S3-compatible store. Larger files are uploaded in parts; memory stays at a few parts. */
export function openS3Storage({ bucket, region, endpoint, ...credentials }: S3Options): Storage {
  const client = new S3Client({
    region,
    credentials,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // Without these the client would wait for ever for a store that hangs.
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
    // Stores other than AWS's take the trailing checksum of a streamed body for part of it.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const get = (key: string, range?: ByteRange) => getObject(client, bucket, key, range);
  return {
    async putFile(key, path, mediaType) {
      const Body = createReadStream(path);
      const params = { Bucket: bucket, Key: assertStorageKey(key), Body, ContentType: mediaType };
      await new Upload({ client, params, partSize: PART_BYTES, queueSize: 2 }).done();
      await rm(path, { force: true });
    },
    async copy(from, to) {
      const CopySource = [bucket, ...assertStorageKey(from).split('/')].map(encodeURIComponent).join('/');
      await client
        .send(new CopyObjectCommand({ Bucket: bucket, Key: assertStorageKey(to), CopySource }))
        .catch(mapAbsent(from));
    },
    get,
    async toLocalFile(key, directory) {
      const path = join(directory, randomUUID());
      const { stream } = await get(key);
      await pipeline(stream, createWriteStream(path));
      return path;
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: assertStorageKey(key) }));
    },
    async *list(prefix, before) {
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (Key && LastModified && LastModified < before) yield Key;
        }
      }
    },
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
    },
  };
}

/** For `catch`: turns the error of a store without the object into ours. */
function mapAbsent(key: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof Error && error.name === 'NoSuchKey' ? missingObject(key) : error;
  };
}

async function getObject(
  client: S3Client,
  bucket: string,
  key: string,
  range?: ByteRange,
): Promise<StoredObject> {
  const Range = range && `bytes=${range.start}-${range.end}`;
  const command = new GetObjectCommand({ Bucket: bucket, Key: assertStorageKey(key), Range });
  const { Body, ContentLength } = await client.send(command).catch(mapAbsent(key));
  // In Node the body is always a Readable; the type covers browsers too.
  return { bytes: ContentLength ?? 0, stream: Body as Readable };
}
