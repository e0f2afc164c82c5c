export type { Acceptance, BatchItem, SubmitOptions } from './client.ts';
export { type Client, type ClientOptions, createClient, type RunOptions } from './client.ts';
export { ERRORS } from './error-table.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InsufficientBalanceError,
  InvalidArgumentError,
  InvalidRequestError,
  JobFailedError,
  NotFoundError,
  PermissionError,
  ServiceError,
  SourceUnavailableError,
  TooManyRequestsError,
} from './errors.ts';
export type { WaitOptions } from './jobs.ts';
export {
  findReceiptFile,
  type Receipt,
  ReceiptError,
  type ReceiptFile,
  type ReceiptKeys,
  verifyReceipt,
  verifyWebhook,
  WebhookError,
} from './signatures.ts';
export type { Fetch, RetryOptions } from './transport.ts';
export type {
  BatchableId,
  BatchQuote,
  CompletedBatch,
  CompletedJob,
  ErrorCode,
  FailedItem,
  Input,
  ItemOf,
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
  Token,
  TokenLimits,
  UploadList,
  UploadQuery,
  Usage,
  UsageQuery,
  Wallet,
  WebhookEvent,
  WorkerList,
} from './types.ts';
export type { UploadOptions, UploadProgress } from './upload.ts';
