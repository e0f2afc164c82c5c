export { type Client, type ClientOptions, createClient, type RunOptions } from './client.ts';
export { ERRORS } from './error-table.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InsufficientBalanceError,
  InvalidRequestError,
  JobFailedError,
  NotFoundError,
  PermissionError,
  ServiceError,
  TooManyRequestsError,
} from './errors.ts';
export type { WaitOptions } from './jobs.ts';
export type { Fetch, RetryOptions } from './send.ts';
export type { Acceptance, BatchItem, SubmitOptions } from './submit.ts';
export type {
  BatchableId,
  ErrorCode,
  Input,
  Job,
  JobSummary,
  Media,
  OperationId,
  ParamsOf,
  Problem,
  Quote,
  RequestList,
  RequestQuery,
  SharedParamsOf,
  Usage,
  UsageQuery,
  Wallet,
} from './types.ts';
export type { UploadOptions, UploadProgress } from './upload.ts';
export {
  findReceiptFile,
  type Receipt,
  ReceiptError,
  type ReceiptFile,
  type ReceiptKeys,
  verifyReceipt,
} from './verify-receipt.ts';
export { verifyWebhook, WebhookError } from './verify-webhook.ts';
