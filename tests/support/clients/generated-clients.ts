/** Programs that call the service through clients generated from its OpenAPI document; each prints one line of JSON. */
export const CALLERS = {
  'openapi-fetch': `
import createClient from 'openapi-fetch';
import type { paths } from './openapi-types.ts';

const { ORIGIN = '', KEY = '', IMAGE = '' } = process.env;
const client = createClient<paths>({ baseUrl: ORIGIN + '/api' });
const headers = { 'Ocp-Apim-Subscription-Key': KEY };
const wallet = await client.GET('/v2/wallet', { headers });
const accepted = await client.POST('/media-tools/v1/image-convert', {
  headers,
  body: { image_url: IMAGE, to_format: 'webp', quality: 80, keep_metadata: false },
});
const request_id = accepted.data && 'request_id' in accepted.data ? accepted.data.request_id : '';
const path = { request_id };
const job = await client.GET('/v2/requests/status/{request_id}', { headers, params: { path } });
const refused = await client.POST('/media-tools/v1/image-convert', {
  headers,
  body: { image_url: IMAGE, to_format: 'webp', quality: 500, keep_metadata: false },
});
console.log(JSON.stringify({
  balance: wallet.data?.balance_usd,
  job: job.data?.status,
  refused: [refused.error?.code, refused.error?.field, refused.error?.request_id],
  requestId: refused.response.headers.get('x-request-id'),
}));
`,
  'hey-api': `
import { createClient } from './hey-api/client/index.ts';
import { getRequestEvents, getRequestStatus, getWallet, mediaConvertImage } from './hey-api/sdk.gen.ts';

const { ORIGIN = '', KEY = '', IMAGE = '' } = process.env;
const client = createClient({ baseUrl: ORIGIN + '/api', headers: { 'Ocp-Apim-Subscription-Key': KEY } });
const wallet = await getWallet({ client });
const accepted = await mediaConvertImage({ client, body: { image_url: IMAGE, to_format: 'webp' } });
const request_id = accepted.data?.request_id ?? '';
const job = await getRequestStatus({ client, path: { request_id } });
const { stream } = await getRequestEvents({ client, path: { request_id } });
const first = await stream[Symbol.asyncIterator]().next();
const refused = await mediaConvertImage({ client, body: { image_url: IMAGE, to_format: 'webp', quality: 500 } });
console.log(JSON.stringify({
  balance: wallet.data?.balance_usd,
  job: job.data?.status,
  event: JSON.parse(JSON.stringify(first.value)).status,
  refused: [refused.error?.code, refused.error?.field, refused.error?.request_id],
  requestId: refused.response?.headers.get('x-request-id'),
}));
process.exit(0);
`,
  orval: `
import { getRequestStatus, getWallet, mediaConvertImage } from './orval.ts';

const { KEY = '', IMAGE = '' } = process.env;
const options = { headers: { 'Ocp-Apim-Subscription-Key': KEY } };
const wallet = await getWallet(options);
const accepted = await mediaConvertImage({ image_url: IMAGE, to_format: 'webp' }, options);
const request_id = accepted.status === 202 ? accepted.data.request_id : '';
const job = await getRequestStatus(request_id, options);
const refused = await mediaConvertImage({ image_url: IMAGE, to_format: 'webp', quality: 500 }, options);
console.log(JSON.stringify({
  balance: wallet.status === 200 ? wallet.data.balance_usd : undefined,
  job: job.status === 200 ? job.data.status : undefined,
  refused: refused.status === 400 ? [refused.data.code, refused.data.field, refused.data.request_id] : [],
  requestId: refused.headers.get('x-request-id'),
}));
`,
} as const;

export type Generator = keyof typeof CALLERS;
