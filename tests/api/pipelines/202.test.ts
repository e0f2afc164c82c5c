import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveFiles } from '../../../lab/support/file-server.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { serveResult } from '../../../server/api/results-listener.ts';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { startSandbox } from '../../support/service/sandbox.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  await api.startRunner();
});
afterAll(() => api.close());

const convert = (id: string, params: object, from?: string) => ({
  id,
  operation: 'convert',
  ...(from && { from }),
  params,
});
const send = (body: object, headers?: Record<string, string>) =>
  api.post('/v2/pipelines', { image_url: api.imageUrl, ...body }, headers);
const load = async (url: string) =>
  sharp(await (await serveResult(api.ctx, new Request(url))).arrayBuffer()).metadata();

describe('POST /api/v2/pipelines', () => {
  it('runs steps as one job, with the files of its outputs and the results of all steps', async () => {
    const { status, body } = await send({
      steps: [
        convert('base', { to_format: 'png', width: 6 }),
        convert(
          'shop',
          { to_format: 'webp', width: 64, height: 64, fit: 'contain', pad_color: '#fff' },
          'base',
        ),
        convert('thumb', { to_format: 'avif', width: 4 }, 'base'),
        { id: 'safe', operation: 'safety', params: { categories: ['Sexual'] } },
      ],
      outputs: ['thumb', 'shop', 'safe'],
      reference: 'order 7',
    });
    expect([status, Object.keys(body)]).toEqual([202, ['request_id', 'status', 'polling_url']]);
    const job = await api.ended(body.request_id as string);
    expect(job).toMatchObject({
      status: 'COMPLETED',
      model_id: 'pipeline',
      reference: 'order 7',
      cached: false,
    });
    expect(job.billing).toEqual({ held_usd: '0.00', charged_usd: '0.008' });
    expect(job.steps.map(({ operation }: { operation: string }) => operation)).toEqual([
      'convert',
      'convert',
      'convert',
      'moderate',
    ]);
    const { media_url, media_type, files, steps } = job.output;
    expect(media_type).toBe('multipart/mixed');
    expect(files.map(({ url }: { url: string }) => url)).toEqual(media_url);
    expect(files.map(({ name }: { name: string }) => name.replace(/^.*-/, ''))).toEqual([
      'thumb.avif',
      'shop.webp',
    ]);
    expect([(await load(media_url[0])).width, (await load(media_url[1])).height]).toEqual([4, 64]);
    expect(Object.keys(steps)).toEqual(['base', 'shop', 'thumb', 'safe']);
    expect(steps.base).toMatchObject({ media_url: [], files: [], charged_usd: '0.002', warnings: [] });
    expect(steps.shop).toMatchObject({
      media_url: [media_url[1]],
      media_type: 'image/webp',
      engine: 'codec',
    });
    expect(Object.keys(steps.safe)).toEqual(['flagged', 'categories', 'severity_threshold', 'ms']);
    const [, payload = ''] = job.receipt.split('.');
    const receipt = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(receipt.params.steps).toHaveLength(4);
    expect(receipt.outputs).toHaveLength(2);
  });

  it('charges nothing for an empty cutout, and counts it as a failure', async () => {
    await api.ctx.db.delete(schema.failureBudgets);
    const { body } = await send({
      image_url: `${api.files.url}/photo.png`,
      steps: [{ id: 'cut', operation: 'remove-bg' }, convert('thumb', { to_format: 'png', width: 2 })],
    });
    const job = await api.ended(body.request_id);
    expect(job).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.002' } });
    expect(job.output.steps.cut).toMatchObject({ charged_usd: '0.00' });
    expect(job.output.steps.cut).not.toHaveProperty('status');
    expect(await api.ctx.db.query.failureBudgets.findFirst()).toMatchObject({ accountId: api.accountId });
  }, 60_000);

  it('ends at a flagged input, and charges only what ran', async () => {
    const { body } = await send({
      steps: [
        convert('late', { to_format: 'png' }),
        {
          id: 'safe',
          operation: 'moderate',
          params: { categories: ['Sexual'], severity_threshold: 0 },
          stop_if_flagged: true,
        },
      ],
    });
    const job = await api.ended(body.request_id as string);
    expect(job).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.002' } });
    expect(job.output).toMatchObject({ stopped_by: 'safe', media_url: [], media_type: 'application/json' });
    expect(Object.keys(job.output.steps)).toEqual(['safe']);
    expect(job.receipt).toEqual(expect.any(String));
  });

  it('fails as a whole with the step in its message, and charges nothing', async () => {
    const noise = await sharp({
      create: {
        width: 90,
        height: 90,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', sigma: 30 },
      },
    })
      .png()
      .toBuffer();
    const files = await serveFiles({ '/cut.png': noise.subarray(0, noise.length / 2) });
    const { body } = await send({
      image_url: `${files.url}/cut.png`,
      steps: [convert('broken', { to_format: 'webp' })],
    });
    const job = await api.ended(body.request_id);
    await files.close();
    expect(job).toMatchObject({ status: 'FAILED', billing: { charged_usd: '0.00' }, output: null });
    expect(job.error).toMatch(/^steps\.broken: The image /);
  });

  it('runs a batch, whose items may have overrides', async () => {
    const { status, body } = await api.post('/v2/pipelines/batch', {
      steps: [convert('thumb', { to_format: 'png', width: 6 })],
      items: [
        { image_url: api.imageUrl },
        { image_url: api.imageUrl, overrides: { thumb: { width: 3 } } },
        { image_url: api.imageUrl, overrides: { other: {} } },
      ],
    });
    expect(status).toBe(202);
    const job = await api.ended(body.request_id as string);
    const [first, second, third] = job.output.items;
    expect(first).toMatchObject({
      status: 'success',
      charged_usd: '0.002',
      steps: { thumb: { engine: 'codec' } },
    });
    expect([first.files[0].width, second.files[0].width]).toEqual([6, 3]);
    expect(third).toMatchObject({ status: 'failed', field: 'items[2].overrides.other', charged_usd: '0' });
    expect(job.billing.charged_usd).toBe('0.004');
  });

  it('quotes the price of each step', async () => {
    const { status, body } = await api.post('/v2/quotes', {
      model_id: 'pipeline',
      request: {
        image_url: api.imageUrl,
        steps: [convert('a', { to_format: 'png' }), { id: 'b', operation: 'remove-bg', from: 'a' }],
      },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      price_usd: '0.012',
      steps: { a: { price_usd: '0.002' }, b: { price_usd: '0.01' } },
    });
  });
});

const WRONG: [string, object, string, RegExp][] = [
  ['no steps', {}, 'steps', /required/],
  ['overrides of no steps', { overrides: {} }, 'steps', /required/],
  ['steps that are no list', { steps: 'all', overrides: { a: {} } }, 'steps', /array/],
  [
    'an unknown operation',
    { steps: [{ id: 'a', operation: 'sharpen' }] },
    'steps[0].operation',
    /must be one of convert/,
  ],
  [
    'a wrong param',
    { steps: [convert('a', { to_format: 'png', width: 0 })] },
    'steps[0].params.width',
    /at least 1/,
  ],
  [
    'an unknown param',
    { steps: [convert('a', { to_format: 'png', image_url: 'x' })] },
    'steps[0].params.image_url',
    /unknown field/,
  ],
  [
    'an unknown field',
    { steps: [{ id: 'a', operation: 'convert', params: { to_format: 'png' }, x: 1 }] },
    'steps[0].x',
    /unknown field/,
  ],
  [
    'a repeated id',
    { steps: [convert('a', { to_format: 'png' }), convert('a', { to_format: 'png' })] },
    'steps[1].id',
    /earlier/,
  ],
  ['the id input', { steps: [convert('input', { to_format: 'png' })] }, 'steps[0].id', /must not be input/],
  [
    'a later source',
    { steps: [convert('a', { to_format: 'png' }, 'b'), convert('b', { to_format: 'png' })] },
    'steps[0].from',
    /earlier step/,
  ],
  [
    'an unknown output',
    { steps: [convert('a', { to_format: 'png' })], outputs: ['b'] },
    'outputs[0]',
    /must be one of/,
  ],
  ['a source of another kind', { steps: [{ id: 'a', operation: 'diarize' }] }, 'steps[0].from', /audio/],
  [
    'a source without files',
    {
      steps: [
        { id: 'a', operation: 'moderate', params: { categories: ['Sexual'] } },
        convert('b', { to_format: 'png' }, 'a'),
      ],
    },
    'steps[1].from',
    /no file/,
  ],
  [
    'a format that a step does not read',
    { steps: [convert('a', { to_format: 'avif' }), { id: 'b', operation: 'remove-bg', from: 'a' }] },
    'steps[1].from',
    /AVIF/,
  ],
  [
    'one of several files',
    {
      steps: [
        { id: 'a', operation: 'outpaint', params: { expand_left: 9, num_images: 2 } },
        convert('b', { to_format: 'png' }, 'a'),
      ],
    },
    'steps[1].from',
    /gives 2 files/,
  ],
  [
    'a crop outside of the image',
    {
      steps: [
        convert('a', { to_format: 'png', width: 4 }),
        convert('b', { to_format: 'png', crop: { x: 0, y: 0, width: 5, height: 1 } }, 'a'),
      ],
    },
    'steps[1].params.crop',
    /4 x 3/,
  ],
  [
    'stop_if_flagged elsewhere',
    { steps: [{ ...convert('a', { to_format: 'png' }), stop_if_flagged: true }] },
    'steps[0].stop_if_flagged',
    /moderate/,
  ],
  ['an unknown preset', { preset: 'none' }, 'preset', /no preset/],
  [
    'a preset next to steps',
    { preset: 'none', steps: [convert('a', { to_format: 'png' })] },
    'preset',
    /place of steps/,
  ],
];

it.each(WRONG)('400: %s', async (_, request, field, message) => {
  const { status, body } = await send(request);
  expect([status, body.field]).toEqual([400, field]);
  expect(body.message).toMatch(message);
});

it('a test key gets made-up results of all steps, at no price', async () => {
  const sandbox = await startSandbox(api);
  const steps = [
    convert('a', { to_format: 'png', width: 10 }),
    convert('b', { to_format: 'webp', width: 5 }, 'a'),
  ];
  const asked = { image_url: api.imageUrl, steps };
  const quote = await sandbox.post('/v2/quotes', { model_id: 'pipeline', request: asked });
  const free = { price_usd: '0.00' };
  expect(quote.body).toMatchObject({ ...free, steps: { a: free, b: free } });
  const { status, body } = await sandbox.post('/v2/pipelines', asked);
  expect(status).toBe(202);
  const job = await sandbox.ended(body.request_id);
  expect(job).toMatchObject({ status: 'COMPLETED', test: true, billing: { charged_usd: '0.00' } });
  expect(Object.keys(job.output.steps)).toEqual(['a', 'b']);
  expect(job.output.files).toMatchObject([{ width: 5, media_type: 'image/webp' }]);
});

it('steps that may take very long together run in the lane of long runs', async () => {
  const facts = await OPERATIONS.pipeline.probe(
    new Blob([
      await sharp({ create: { width: 8, height: 6, channels: 3, background: '#888' } })
        .png()
        .toBuffer(),
    ]),
  );
  const laneOf = (count: number) => {
    const steps = Array.from({ length: count }, (_, at) =>
      convert(`a${at}`, { to_format: 'jpg', max_bytes: 5000 }),
    );
    return OPERATIONS.pipeline.laneFor(facts, OPERATIONS.pipeline.params.parse({ steps }));
  };
  expect([4, 5].map(laneOf)).toEqual(['interactive', 'long']);
});

it('output_name names the files of a step', async () => {
  const params = { to_format: 'png', width: 4, output_name: '{name}-{step}-{width}x{height}-{n}' };
  const { body } = await send({ steps: [convert('a', params)] });
  const { output } = await api.ended(body.request_id);
  expect(output.files[0].name).toMatch(/-a-4x3-1\.png$/);
});
