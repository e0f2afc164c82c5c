import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EXIT } from '../../clients/typescript/src/cli/exit-codes.ts';
import type { Machine, MachineRun } from '../../clients/typescript/src/cli/machine.ts';
import { main } from '../../clients/typescript/src/cli/main.ts';
import { verifyReceipt } from '../../clients/typescript/src/signatures.ts';
import { schema } from '../../server/base/database/db.ts';
import { readBalance } from '../../server/money/wallet/index.ts';
import { openOwnDevice } from '../../server/ops/own-device.ts';
import { createTestTerminal } from '../support/clients/test-terminal.ts';
import { startBucket } from '../support/servers/bucket.ts';
import { startWebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { drawRedBall } from '../support/service/api.ts';
import { type LoopbackService, startLoopbackService } from '../support/service/loopback-service.ts';

let service: LoopbackService;
let folder: string;
beforeAll(async () => {
  service = await startLoopbackService('', { isSignedIn: false });
});
afterAll(() => service.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'darkroom-worker-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const createUser = (apiKey = service.api.apiKey) =>
  createTestTerminal({
    env: { DARKROOM_URL: service.url, DARKROOM_KEY: apiKey, XDG_CONFIG_HOME: folder },
    isWatched: true,
  });

/** Creates a machine with a run of the test's own. */
const getMachine = (run: Machine['run']): (() => Promise<Machine>) => {
  return async () => ({ run, close() {} });
};
const start = (openMachine: (runsMax: number) => Promise<Machine>, ...args: string[]) => {
  const user = createUser();
  const ended = main(['worker', ...args], user, { openMachine, firstPauseMs: 20 });
  return { user, ended };
};

async function submit(more: object = {}, headers: Record<string, string> = {}): Promise<string> {
  const request = { image_url: `${service.api.files.url}/subject.png`, to_format: 'webp', run_on: 'own' };
  const { status, body } = await service.api.convert({ ...request, ...more }, headers);
  expect([status, body.message]).toEqual([202, undefined]);
  return body.request_id;
}

/** Waits for a job to be taken, and never ends. */
function createHangingRun() {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const run = async ({ signal, onProgress }: MachineRun) => {
    onProgress(0.25);
    begin();
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return { fault: 'it was ended' };
  };
  return { run, begun };
}

/** Converts as the product does, without a process. */
async function convert({ inputPath, outputDirectory }: MachineRun) {
  const bytes = await sharp(inputPath).webp().toBuffer();
  await writeFile(join(outputDirectory, 'output.webp'), bytes);
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))).toString('hex');
  const report = { outcome: 'completed' as const, engine: 'sharp', processing_ms: 3 };
  return { report, files: [{ name: 'output.webp', mediaType: 'image/webp', sha256 }] };
}

describe('darkroom worker', () => {
  it('runs a job of its account with the product’s own code: result, webhook, receipt, no charge', async () => {
    vi.stubEnv('DATA_DIR', join(folder, '.data'));
    vi.stubEnv('MODELS_OFFLINE', '1');
    const { api } = service;
    const before = await readBalance(api.ctx.db, api.accountId);
    const receiver = await startWebhookReceiver();
    const id = await submit({ reference: 'mine' }, { 'x-webhook-url': receiver.url });
    // The runner of the service takes the later job, and leaves the earlier one.
    await api.ended(await submit({ run_on: 'service' }));
    expect((await api.status(id)).body).toMatchObject({ status: 'QUEUED', progress: 0 });

    const { user, ended } = start((runsMax) => openOwnDevice(runsMax), '--operations', 'convert');
    const job = await api.ended(id);
    await receiver.until(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual(job);
    await receiver.close();
    user.interrupt();
    expect(await ended).toBe(EXIT.interrupted);

    expect(job).toMatchObject({
      status: 'COMPLETED',
      run_on: 'own',
      engine: 'codec',
      reference: 'mine',
      billing: { charged_usd: '0.00' },
    });
    const { balance, held } = await readBalance(api.ctx.db, api.accountId);
    expect([before.balance - balance, held]).toEqual([2_000n, 0n]);
    const file = await fetch(job.output.media_url[0]);
    expect(await sharp(await file.arrayBuffer()).metadata()).toMatchObject({ format: 'webp', width: 160 });
    const keys = (await api.call('GET', '/.well-known/jwks.json')).body;
    expect(await verifyReceipt(job.receipt, keys)).toMatchObject({
      run_on: 'own',
      engine: 'codec',
      outputs: [{ name: 'output.webp' }],
    });
    expect(user.printed()).toContain(`${id}: taken`);
    expect(user.printed()).toContain(`${id}: COMPLETED by codec`);
  });

  it('reports the field that names an engine which this machine lacks, as the service does', async () => {
    vi.stubEnv('DATA_DIR', join(folder, '.data'));
    vi.stubEnv('MODELS_OFFLINE', '1');
    const request = { image_url: `${service.api.files.url}/subject.png`, engine: 'u2netp', run_on: 'own' };
    const { body } = await service.api.removeBg(request, { prefer: 'respond-async' });
    const { user, ended } = start((runsMax) => openOwnDevice(runsMax));
    expect(await service.api.ended(body.request_id)).toMatchObject({ status: 'ERROR', field: 'engine' });
    user.interrupt();
    await ended;
  });

  it('runs what the command leaves to it, whose result the command saves', async () => {
    await writeFile(join(folder, 'a.png'), await drawRedBall());
    const { user, ended } = start(getMachine(convert));
    const labels = ['--reference', 'order 9', '--metadata', 'customer=ACME'];
    const sender = createTestTerminal({
      env: { DARKROOM_URL: service.url, DARKROOM_KEY: service.api.apiKey, XDG_CONFIG_HOME: folder },
      cwd: folder,
    });
    const args = ['convert', 'a.png', '--to', 'webp', '--run-on', 'own', ...labels];
    expect([await main(args, sender), sender.messages()]).toEqual([EXIT.done, '']);
    user.interrupt();
    await ended;
    expect((await sharp(join(folder, 'a.webp')).metadata()).format).toBe('webp');
    const isNamed = eq(schema.jobs.reference, 'order 9');
    expect(await service.api.ctx.db.select().from(schema.jobs).where(isNamed)).toMatchObject([
      { runOn: 'own', engine: 'sharp', charged: 0n, metadata: { customer: 'ACME' } },
    ]);
  });

  it('gives its job back when it is interrupted, at the cost of no attempt', async () => {
    const id = await submit();
    const { run, begun } = createHangingRun();
    const { user, ended } = start(getMachine(run));
    await begun;
    user.interrupt();
    expect(await ended).toBe(EXIT.interrupted);
    expect(user.printed()).toContain(`${id}: given back`);
    const { db } = service.api.ctx;
    const [job] = await db.select().from(schema.jobs).where(eq(schema.jobs.id, id));
    expect(job).toMatchObject({ attempt: 1, uncountedAttempts: 1, status: 'PROCESSING' });
    const second = start(getMachine(convert));
    expect(await service.api.ended(id)).toMatchObject({ status: 'COMPLETED', engine: 'sharp' });
    second.user.interrupt();
    await second.ended;
  });

  it('goes on after lost connections: while it waits, and when it reports', async () => {
    const lost = { status: 503, headers: {} };
    service.disturb('POST /api/v2/worker/claims', ...Array<typeof lost>(6).fill(lost));
    const { user, ended } = start(getMachine(convert));
    await expect.poll(() => user.printed()).toContain('Trying again');
    await expect.poll(() => user.printed()).toContain('The service is back.');
    service.disturb('/report', 'break off', 'break off');
    const id = await submit();
    expect(await service.api.ended(id)).toMatchObject({ status: 'COMPLETED' });
    user.interrupt();
    expect(await ended).toBe(EXIT.interrupted);
  });

  it('ends a run whose job is canceled, and takes the next one', async () => {
    const id = await submit();
    const { run, begun } = createHangingRun();
    let isFirst = true;
    const { user, ended } = start(
      getMachine(async (task) => {
        if (!isFirst) return await convert(task);
        isFirst = false;
        return await run(task);
      }),
    );
    await begun;
    const headers = { authorization: `Bearer ${service.api.apiKey}` };
    await service.api.call('DELETE', `/api/v2/requests/${id}`, { headers });
    const next = await submit();
    expect(await service.api.ended(next)).toMatchObject({ status: 'COMPLETED' });
    expect(user.printed()).toContain('was canceled');
    user.interrupt();
    await ended;
  });

  it('sends results to the client’s own bucket by way of the service', async () => {
    const bucket = await startBucket();
    const id = await submit({ output_urls: [bucket.presign()], store: false });
    const { user, ended } = start(getMachine(convert));
    const job = await service.api.ended(id);
    user.interrupt();
    await ended;
    expect(job).toMatchObject({ status: 'COMPLETED', output_delivery: [{ status: 'delivered' }] });
    expect((await sharp(bucket.received[0]?.body).metadata()).format).toBe('webp');
    await bucket.close();
  });

  it('reports a failure by the input, and one that the service finds in the result', async () => {
    const { user, ended } = start(
      getMachine(async (task) => {
        if (task.params.quality === 11) {
          const message = 'image_url: is torn.';
          return { report: { outcome: 'failed', code: 'unprocessable', message }, files: [] };
        }
        const end = await convert(task);
        return { ...end, files: end.files.map((file) => ({ ...file, mediaType: 'image/png' })) };
      }),
      '--concurrency',
      '2',
    );
    const [torn, odd] = [await submit({ quality: 11 }), await submit({ quality: 12 })];
    expect(await service.api.ended(torn)).toMatchObject({ status: 'FAILED', error: 'image_url: is torn.' });
    expect(await service.api.ended(odd)).toMatchObject({
      status: 'ERROR',
      error: expect.stringContaining('Content-Type: must be image/webp.'),
    });
    user.interrupt();
    await ended;
  });

  it.each([
    [['--operations', 'toast'], 'toast'],
    [['--concurrency', '17'], 'whole number'],
    [['photo.png'], 'Usage: darkroom worker'],
  ])('refuses %j', async (args, message) => {
    const user = createUser();
    expect(await main(['worker', ...args], user, { openMachine: getMachine(convert) })).toBe(EXIT.usage);
    expect(user.messages()).toContain(message);
  });

  it('needs the product, and a key that is known', async () => {
    const user = createUser();
    expect(await main(['worker'], user)).toBe(EXIT.usage);
    expect(user.messages()).toContain('this package holds neither codecs nor models');
    const stranger = createUser('mk_unknown');
    expect(await main(['worker'], stranger, { openMachine: getMachine(convert) })).toBe(EXIT.key);
  });
});
