import type { components, operations } from './openapi.ts';
import type { OPERATIONS } from './operations.ts';

type Schemas = components['schemas'];

export type Job = Schemas['Job'];
/** A job with its output. */
export type CompletedJob = Job & {
  readonly status: 'COMPLETED';
  readonly output: NonNullable<Job['output']>;
};
/** Body of a webhook: a job that has ended, or, with a `type`, an event of the account. */
export type WebhookEvent = Job | Schemas['SpendingEvent'];
/** Body of an error. */
export type Problem = Schemas['Problem'];
/** Kind of an error, for programs. */
export type ErrorCode = Schemas['ErrorCode'];
/** A job without its output. */
export type JobSummary = Schemas['JobSummary'];
export type RequestList = Schemas['RequestList'];
export type Quote = Schemas['Quote'];
export type BatchQuote = Schemas['BatchQuote'];
/** Token of a key, for a page or an app that must not have the key itself. */
export type Token = Schemas['Token'];
/** Limits of a token. */
export type TokenLimits = operations['createToken']['requestBody']['content']['application/json'];
export type Usage = Schemas['Usage'];
export type WorkerList = Schemas['WorkerList'];
export type Wallet = Schemas['Wallet'];
export type Upload = Schemas['Upload'];
export type UploadList = Schemas['UploadList'];
/** Place in the list of uploads. */
export type UploadQuery = NonNullable<operations['listUploads']['parameters']['query']>;
export type Accepted = Schemas['Accepted'];

/** Job of the account that one of its machines has taken. */
export type Claim = Schemas['Claim'];
/** File of the request of a claim. */
export type ClaimedFile = Claim['runs'][number]['input'];
/** Report of a machine of the account on a run. */
export type RunReport = operations['reportRun']['requestBody']['content']['application/json'];
export type ReportedRun = Schemas['ReportedRun'];

/** Filters of the list of requests, with the place in it. */
export type RequestQuery = NonNullable<operations['listRequests']['parameters']['query']>;
/** Days of a usage report. */
export type UsageQuery = NonNullable<operations['getUsage']['parameters']['query']>;

/** The model_id of an operation. */
export type OperationId = keyof typeof OPERATIONS;

/** The model_id of an operation that accepts batches. */
export type BatchableId = {
  [Id in OperationId]: `${Id}-batch` extends keyof operations ? Id : never;
}[OperationId];

/** `RemoveBg` for `remove-bg`. */
type PascalCase<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Capitalize<Word>}${PascalCase<Rest>}`
  : Capitalize<Name>;

/** Item of a batch that has failed. */
export type FailedItem = Schemas['FailedItem'];
/** Item of a batch of an operation, as its `status` tells. */
export type ItemOf<Id extends BatchableId> = Schemas[`${PascalCase<Id>}Item` & keyof Schemas] | FailedItem;
/** Completed job of a batch, with the results of its operation. */
export type CompletedBatch<Id extends BatchableId> = Omit<CompletedJob, 'output'> & {
  readonly output: Omit<CompletedJob['output'], 'items'> & { items: ItemOf<Id>[] };
};

type BodyOf<Id extends OperationId> = operations[Id]['requestBody']['content']['application/json'];
type BatchBodyOf<Id extends BatchableId> =
  operations[`${Id}-batch`]['requestBody']['content']['application/json'];
type InputField = 'image_url' | 'image_b64' | 'video_url' | 'audio_url' | 'media_url';

/** Params of an operation: the fields of its request without the input. */
export type ParamsOf<Id extends OperationId> = Omit<BodyOf<Id>, InputField>;

/** Params that the items of a batch share, apart from those that have their own. */
export type SharedParamsOf<Id extends BatchableId> = Omit<BatchBodyOf<Id>, 'items'>;

/** URL of a file that the service fetches, or the file itself. A stream is read whole before it is sent. */
export type Input = string | URL | Blob | ReadableStream<Uint8Array<ArrayBuffer>>;

export type Media = 'image' | 'video' | 'audio';
