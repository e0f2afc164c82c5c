// @module-tag long

import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { endpointExample } from '../../app/docs/endpoint-example.ts';
import { getEndpoints } from '../../app/docs/endpoints.ts';
import { findFreePort } from '../../lab/support/service.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { openApiDocument } from '../../server/api/openapi-document.ts';
import { createResultsListener } from '../../server/api/results-listener.ts';
import { listActiveSecrets } from '../../server/io/webhooks/index.ts';
import { claimJob, completeJob } from '../../server/jobs/index.ts';
import {
  type ExampleRun,
  LANGUAGES,
  type Language,
  listExamples,
  missingPrograms,
  ReaderFolder,
  readExample,
} from '../support/clients/example-programs.ts';
import { expectPhotoResults, writePhotos } from '../support/clients/photo-pipeline.ts';
import { startWebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { startApi, type TestApi } from '../support/service/api.ts';
import { createOwnWorker } from '../support/service/own-worker.ts';
import { respondHttp } from '../support/service/respond-http.ts';

const PHOTO = 'https://example.com/photo.jpg';
const HOOK = 'https://example.com/hook';
/** Any job of a conversion. */
const JOB_ID = /media-convert-image_\w+/g;
const EACH = Object.keys(LANGUAGES) as Language[];

const servers: Server[] = [];
let folder: ReaderFolder;
let api: TestApi;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await ReaderFolder.create(
    await sharp({ create: { width: 16, height: 12, channels: 3, background: '#c7321b' } })
      .jpeg()
      .toBuffer(),
  );
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  // A quick machine sends the requests of all examples faster than one key may.
  api = await startApi({ PUBLIC_URL: origin, RATE_LIMIT_PER_SECOND: '1000', RATE_LIMIT_BURST: '1000' });
  const results = createResultsListener(api.ctx);
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith('/cdn/')) results(incoming, outgoing);
    else respondHttp(api.ctx, incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(port, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  env = { DARKROOM_URL: origin, DARKROOM_KEY: api.apiKey };
});
afterAll(async () => {
  await folder?.remove();
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  await api?.close();
});

/**
 * Tests must pass on a machine with Node alone, so what needs another program is reported as skipped there, by name.
 * The check against the OpenAPI document below still covers those examples.
 */
function needs(context: TestContext, language: Language): void {
  const missing = missingPrograms(language);
  context.skip(missing.length > 0, `not run: this machine lacks ${missing.join(' and ')}`);
}

/** Runs an example to its end, and returns what it printed. */
async function run(
  file: string,
  more: Record<string, string> = {},
  replacements: Record<string, string> = {},
): Promise<string> {
  const { ended, text } = await folder.start(file, { ...env, ...more }, replacements);
  expect(await ended, text()).toBe(0);
  return text();
}
/** Endpoints whose examples need a job that has ended. */
const ENDED = ['getRequestEvents', 'deleteOutput'];
const bearer = () => ({ authorization: `Bearer ${api.apiKey}` });
const photo = () => ({ [PHOTO]: api.imageUrl });
const submit = async (): Promise<string> =>
  (await api.convert({ image_url: api.imageUrl, to_format: 'png' })).body.request_id;
/** Leaves a job to a machine of the account, which takes it where a path names a claim. @returns its claim_id */
const submitOwn = async (path: string): Promise<string> => {
  const machine = createOwnWorker(api);
  await machine.cancelAll();
  await machine.submit({ to_format: 'jpg' });
  return path.includes('{claim_id}') ? (await machine.claim()).body.claim_id : '';
};
const printed = async (example: ExampleRun, text: string) => {
  await expect.poll(() => example.text()).toContain(text);
};

/** Languages of the examples that are not in all three: on this device, and with a client's batches. */
const SOME: Readonly<Record<string, readonly Language[]>> = { device: ['ts'], pipeline: ['py', 'ts'] };

it('has every example in three languages, apart from those for this device and with a client', async () => {
  const names = new Set((await listExamples()).map((file) => file.replace(/\.\w+$/, '')));
  const expected = [...names].flatMap((name) =>
    (SOME[name] ?? EACH).map((extension) => `${name}.${extension}`),
  );
  expect(await listExamples()).toEqual(expected.toSorted());
});

it('calls only paths that the OpenAPI document has', async () => {
  const paths = Object.keys((openApiDocument('', OPERATIONS) as { paths: object }).paths);
  const called = new Set<string>();
  for (const file of await listExamples()) {
    const source = (await readExample(file)).replaceAll(/\$?\{?(REQUEST_ID|id)\b\}?/g, '{request_id}');
    const found = source.matchAll(
      /(?:\/api|\$API|\$\{api\}|call\(f?")(\/(?:v\d|uploads|[a-z-]+\/v\d)[^\s"'`?]*)/g,
    );
    for (const [, path = ''] of found) called.add(path);
    if (/\.(sh|py)$/.test(file) && !/^(webhook-verify|pipeline)/.test(file)) {
      expect(source, file).toMatch(/\/api\b/);
    }
  }
  expect(called.size).toBeGreaterThan(7);
  expect([...called].filter((path) => !paths.includes(path))).toEqual([]);
});

describe('without a runner', () => {
  it.for(EACH)('cancel.%s ends a job', async (language, context) => {
    needs(context, language);
    const id = await submit();
    expect(await run(`cancel.${language}`, { REQUEST_ID: id })).toContain('canceled');
    expect((await api.status(id)).body).toMatchObject({ status: 'FAILED', error: 'canceled' });
  });

  it.for(EACH)('events.%s prints each state of a job', async (language, context) => {
    needs(context, language);
    const id = await submit();
    const example = await folder.start(`events.${language}`, { ...env, REQUEST_ID: id });
    await printed(example, 'QUEUED');
    const attempt = await claimJob(api.ctx.db, id);
    if (!attempt) throw new Error(`${id} has ended`);
    await completeJob(api.ctx, attempt, { files: [], engine: 'test', warnings: [] });
    expect(await example.ended, example.text()).toBe(0);
    expect(example.text()).toContain('COMPLETED');
  });

  it.for(EACH)('send.%s gets a job and where to poll it', async (language, context) => {
    needs(context, language);
    const text = await run(`send.${language}`, {}, photo());
    const [id = ''] = text.match(JOB_ID) ?? [];
    expect((await api.status(id)).body).toMatchObject({ status: 'QUEUED' });
    // The client builds the URL from the id.
    if (language !== 'ts') expect(text).toContain(`${env.DARKROOM_URL}/api/v2/requests/status/${id}`);
  });

  it.for(EACH)('quote.%s prints the price', async (language, context) => {
    needs(context, language);
    expect(await run(`quote.${language}`, {}, photo())).toContain('0.01');
  });

  it.for(EACH)('errors.%s prints status, code and message of a refusal', async (language, context) => {
    needs(context, language);
    const text = await run(`errors.${language}`, {}, photo());
    expect(text).toMatch(/\b400\b/);
    expect(text).toContain('bad_request');
    expect(text).toContain('quality: ');
  });
});

describe('the reference', () => {
  const operations = Object.keys(OPERATIONS);
  const endpoints = getEndpoints(OPERATIONS, { gplEncoders: true }).filter(
    ({ id }) => !operations.includes(id),
  );

  it.for(endpoints)('has an example of $id that works', async (endpoint, context) => {
    needs(context, 'sh');
    const command = endpointExample(`${env.DARKROOM_URL}/api`, endpoint);
    await writeFile(
      join(folder.path, 'reference.sh'),
      command.replace('curl ', 'exec curl -sS --fail-with-body ').replaceAll(PHOTO, api.imageUrl),
    );
    const id = await submit();
    // A stream of events ends with its job, whose files go only then.
    if (ENDED.includes(endpoint.id)) await run('cancel.sh', { REQUEST_ID: id });
    const recipe = { steps: [{ id: 'cut', operation: 'remove-bg' }] };
    await api.call('PUT', '/api/v2/presets/shop', { headers: bearer(), body: recipe });
    const { size: bytes } = await stat(join(folder.path, 'photo.jpg'));
    const { parts_url: PARTS_URL, upload_id: UPLOAD_ID } = (await api.post('/v2/uploads', { bytes })).body;
    const token = { max_usd: '0.01', expires_in_seconds: 60 };
    const { token_id: TOKEN_ID } = (await api.post('/v2/tokens', token)).body;
    const CLAIM_ID = endpoint.path.includes('claim') ? await submitOwn(endpoint.path) : '';
    const given = { ...env, REQUEST_ID: id, PARTS_URL, UPLOAD_ID, TOKEN_ID, CLAIM_ID };
    const { child, ended, text } = await folder.startFile('reference.sh', given);
    if (endpoint.id === 'getWebhookEvents') {
      // It goes on until the reader ends it.
      await expect
        .poll(async () => {
          await api.post('/v2/webhooks/events', { outcome: 'completed' });
          return text();
        })
        .toContain('COMPLETED');
      child.kill();
      return void (await ended);
    }
    expect(await ended, text()).toBe(0);
  });
});

describe('with a runner', () => {
  beforeAll(async () => {
    await api.startRunner();
  });

  it.for(EACH)('convert.%s uploads a photo and saves the result', async (language, context) => {
    needs(context, language);
    await run(`convert.${language}`);
    const { format, width } = await sharp(await readFile(join(folder.path, 'photo.avif'))).metadata();
    expect([format, width]).toEqual(['heif', 16]);
  });

  it.for(EACH)('poll.%s prints the job once it has ended', async (language, context) => {
    needs(context, language);
    const id = await submit();
    await api.ended(id);
    const text = await run(`poll.${language}`, { REQUEST_ID: id });
    expect(text).toContain(id);
    expect(text).toContain('COMPLETED');
  });

  it.for(EACH)('wait.%s gets the result in the response', async (language, context) => {
    needs(context, language);
    const text = await run(`wait.${language}`, {}, { [PHOTO]: `${api.files.url}/subject.png` });
    expect(text).toContain(`${env.DARKROOM_URL}/cdn/`);
  });

  it.for(EACH)('list.%s prints completed jobs and their charges', async (language, context) => {
    needs(context, language);
    const id = await submit();
    await api.ended(id);
    const text = await run(`list.${language}`);
    expect(text).toContain(id);
    expect(text).toContain('0.002');
  });

  it.for(EACH)('usage.%s prints charges by day and operation', async (language, context) => {
    needs(context, language);
    await api.ended(await submit());
    const text = await run(`usage.${language}`);
    expect(text).toContain(new Date().toISOString().slice(0, 10));
    expect(text).toContain('media-convert-image');
  });

  it.for(EACH)('repeat.%s makes one job of two requests', async (language, context) => {
    needs(context, language);
    const key = { 'order-1234': `order-${language}-${Date.now()}` };
    const ids = (await run(`repeat.${language}`, {}, { ...photo(), ...key })).match(JOB_ID) ?? [];
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(1);
  });

  it.for(['ts', 'py'] as const)(
    'webhook-verify.%s prints the job of a genuine webhook and refuses another',
    async (language, context) => {
      needs(context, language);
      const [secret = ''] = await listActiveSecrets(api.ctx.db, api.accountId);
      const port = await findFreePort();
      const receiver = await folder.start(`webhook-verify.${language}`, {
        WEBHOOK_SECRET: secret,
        PORT: String(port),
      });
      const hook = `http://127.0.0.1:${port}/hook`;
      const forge = () => fetch(hook, { method: 'POST', body: '{}' }).then(({ status }) => status);
      await expect.poll(() => forge().catch(() => 'not started')).toBe(401);
      const sent = await run(`webhook-send.${language}`, {}, { ...photo(), [HOOK]: hook });
      const [id = ''] = sent.match(JOB_ID) ?? [];
      await printed(receiver, `${id} COMPLETED`);
      receiver.child.kill();
      await receiver.ended;
    },
  );

  it('webhook-verify.sh prints a genuine webhook and refuses another', async (context) => {
    needs(context, 'sh');
    const [secret = ''] = await listActiveSecrets(api.ctx.db, api.accountId);
    const receiver = await startWebhookReceiver();
    await run('webhook-send.sh', {}, { ...photo(), [HOOK]: receiver.url });
    await receiver.until(1);
    await receiver.close();
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    const given = {
      WEBHOOK_SECRET: secret,
      WEBHOOK_ID: headers['webhook-id'] ?? '',
      WEBHOOK_TIMESTAMP: headers['webhook-timestamp'] ?? '',
      WEBHOOK_SIGNATURE: headers['webhook-signature'] ?? '',
    };
    await writeFile(join(folder.path, 'body.json'), body);
    expect(await run('webhook-verify.sh', given)).toContain('COMPLETED');
    await writeFile(join(folder.path, 'body.json'), `${body} `);
    const forged = await folder.start('webhook-verify.sh', given);
    expect(await forged.ended).toBe(1);
    expect(forged.text()).toContain('wrong signature');
  });

  it('pipeline.ts cuts out ten photos, and saves two formats of three sizes of each', async () => {
    await writePhotos(join(folder.path, 'photos'));
    // Moderation 0.002, cutout 0.01, six conversions 0.002 each.
    expect(await run('pipeline.ts')).toBe('0.24\n');
    await expectPhotoResults(join(folder.path, 'results'));
  });

  it('device.ts converts a photo on this machine, without the service', async () => {
    const { ended, text } = await folder.start('device.ts', {});
    expect(await ended, text()).toBe(0);
    const [name = ''] = text().split(' ');
    const { format } = await sharp(await readFile(join(folder.path, name))).metadata();
    expect(format).toBe('heif');
  });
});
