import { expect, it } from 'vitest';
import { OPERATIONS as REGISTRY } from '../../../models/registry.ts';
import { openApiDocument } from '../../../server/api/openapi-document.ts';
import { OPERATIONS } from '../../support/operations/shaped-operations.ts';

interface Post {
  readonly responses: Record<string, { content: { 'application/json': { schema: { $ref: string } } } }>;
  readonly parameters: readonly { readonly name: string }[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody: {
    content: { 'application/json': { schema: { properties: Record<string, Record<string, unknown>> } } };
  };
}

const { paths, components } = openApiDocument('https://example.com', OPERATIONS) as {
  paths: Record<string, { post: Post }>;
  components: { schemas: Record<string, { required: string[] }> };
};
const post = (shape: string): Post => paths[`/shapes/${shape}`]?.post as Post;
const properties = (shape: string) => post(shape).requestBody.content['application/json'].schema.properties;
const getResponse = (shape: string) => post(shape).responses['200']?.content['application/json'].schema.$ref;

it('describes params of every kind', () => {
  expect(properties('upscale').scale).toMatchObject({ type: 'number', enum: [2, 4, 8], default: 2 });
  expect(properties('diarize').speaker_count).toMatchObject({ type: 'integer', minimum: 1, maximum: 20 });
  expect(properties('diarize').speaker_count).not.toHaveProperty('default');
  expect(properties('outpaint').zoom_out_percentage).toMatchObject({ type: 'number', minimum: 0 });
  expect(properties('outpaint').sync_mode).toMatchObject({ type: 'boolean', default: false });
  expect(properties('moderation').severity_threshold).toMatchObject({
    type: 'integer',
    enum: [0, 2, 4, 6],
    default: 2,
  });
  expect(properties('moderation').categories).toMatchObject({
    type: 'array',
    minItems: 1,
    items: { enum: ['Hate', 'SelfHarm', 'Sexual', 'Violence'] },
    default: ['Hate', 'SelfHarm', 'Sexual', 'Violence'],
  });
});

it('describes the media types of each input field', () => {
  expect(properties('stems').audio_url?.description).toBe('A recording. Accepts audio/* or video/*.');
  expect(properties('moderation').image_b64).toMatchObject({
    description: expect.stringContaining('Accepts image/*.'),
    maxLength: 5_536,
  });
});

it('describes the statuses of each operation', () => {
  const statuses = (shape: string) => Object.keys(post(shape).responses);
  const common = ['400', '401', '402', '403', '409', '413', '415', '422', '429', '500', '503', '507'];
  expect(statuses('stems')).toEqual(['200', '202', ...common]);
  expect(statuses('outpaint')).toEqual(['200', '202', ...common]);
  expect(statuses('upscale')).toEqual(['200', '202', ...common]);
  expect(statuses('moderation')).toEqual([
    '200',
    '400',
    '401',
    '403',
    '409',
    '415',
    '422',
    '429',
    '503',
    '507',
  ]);
});

it('names both headers of a key, the one that counts first', () => {
  const keys = (shape: string) => post(shape).security.flatMap((each) => Object.keys(each));
  expect(keys('stems').toSorted()).toEqual(['bearer', 'subscriptionKey']);
  expect(keys('upscale')).toEqual(['bearer', 'subscriptionKey']);
  expect(keys('moderation')).toEqual(['subscriptionKey', 'bearer']);
});

it('describes the response of each operation', () => {
  for (const shape of ['outpaint', 'stems']) expect(getResponse(shape)).toMatch(/Job(Output)?$/);
  expect(getResponse('upscale')).toMatch(/UpscaleResponse$/);
  expect(getResponse('moderation')).toMatch(/ModerationResponse$/);
  expect(components.schemas.UpscaleResponse?.required).toContain('credits_used');
  expect(components.schemas.ModerationResponse?.required).toContain('flagged');
});

it('offers a webhook only where the job outlasts the request', () => {
  const headers = (shape: string) => post(shape).parameters.map(({ name }) => name);
  expect(headers('stems')).toContain('X-Webhook-URL');
  expect(headers('moderation')).not.toContain('X-Webhook-URL');
});

it('leaves out formats that need GPL encoders where there are none', () => {
  const getFormats = (gplEncoders: boolean) => {
    const document = openApiDocument('https://example.com', REGISTRY, { gplEncoders });
    const { post } = (document as { paths: Record<string, { post: Post }> }).paths[
      REGISTRY['media-convert-image'].path
    ] as { post: Post };
    return post.requestBody.content['application/json'].schema.properties.to_format?.enum;
  };
  expect(getFormats(true)).toContain('heic');
  expect(getFormats(false)).not.toContain('heic');
  expect(getFormats(false)).toContain('avif');
});
