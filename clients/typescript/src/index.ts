export { type Client, type ClientOptions, createClient, type RunOptions } from './client.ts';
export { ApiError, JobFailedError } from './errors.ts';
export type { Job, OperationId, ParamsOf } from './types.ts';
export { verifyWebhook, WebhookError } from './verify-webhook.ts';
