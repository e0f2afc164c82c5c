import { buildOnce } from '../../../models/core/build-once.ts';
import type { Operations } from '../../base/context.ts';
import type { Route } from '../route.ts';
import { appendUploadPart } from './append-upload-part.ts';
import { callMcp } from './call-mcp.ts';
import { cancelRequest } from './cancel-request.ts';
import { claimJob } from './claim-job.ts';
import { createFetchToken } from './create-fetch-token.ts';
import { createQuote } from './create-quote.ts';
import { createToken, deleteToken } from './create-token.ts';
import { createUpload } from './create-upload.ts';
import { deleteOutput } from './delete-output.ts';
import { deleteUpload } from './delete-upload.ts';
import { fetchLink } from './fetch-link.ts';
import { getClaimFile } from './get-claim-file.ts';
import { getHealth, getLiveness } from './get-health.ts';
import { getMetrics } from './get-metrics.ts';
import { getNextEngine } from './get-next-engine.ts';
import { getOpenApi } from './get-openapi.ts';
import { getRequest } from './get-request.ts';
import { getUploadOffset } from './get-upload-offset.ts';
import { getUsage } from './get-usage.ts';
import { getWallet } from './get-wallet.ts';
import { listEngines } from './list-engines.ts';
import { listReceiptKeys } from './list-receipt-keys.ts';
import { listRequests } from './list-requests.ts';
import { listUploads, removeUpload } from './list-uploads.ts';
import { listWorkers } from './list-workers.ts';
import { deletePreset, getPreset, listPresets, putPreset } from './presets.ts';
import { receiveStripeEvent } from './receive-stripe-event.ts';
import { relayWeights } from './relay-weights.ts';
import { reportProgress } from './report-progress.ts';
import { reportRun } from './report-run.ts';
import { returnJob } from './return-job.ts';
import { sendClaimFile } from './send-claim-file.ts';
import { startUpload } from './start-upload.ts';
import { streamRequestEvents } from './stream-request-events.ts';
import { sendTestEvent, streamWebhookEvents } from './stream-webhook-events.ts';
import { defineOperationRoutes } from './submit-operation.ts';

/** Routes that every service has. Those for programs stand in the order of the documentation. */
const FIXED_ROUTES: readonly Route[] = [
  getRequest,
  createUpload,
  listEngines,
  getWallet,
  getHealth,
  listReceiptKeys,
  getOpenApi,
  listRequests,
  cancelRequest,
  deleteOutput,
  streamRequestEvents,
  streamWebhookEvents,
  sendTestEvent,
  createQuote,
  putPreset,
  getPreset,
  listPresets,
  deletePreset,
  getUsage,
  createToken,
  deleteToken,
  listUploads,
  removeUpload,
  startUpload,
  getUploadOffset,
  appendUploadPart,
  deleteUpload,
  listWorkers,
  claimJob,
  returnJob,
  reportProgress,
  getClaimFile,
  sendClaimFile,
  reportRun,
  relayWeights,
  getNextEngine,
  fetchLink,
  createFetchToken,
  callMcp,
  receiveStripeEvent,
  getLiveness,
  getMetrics,
];

/** Lists the routes: those of the operations, and those of every service. The API and its document are made of them. */
export const listRoutes = buildOnce((operations: Operations): readonly Route[] => [
  ...Object.values(operations).flatMap(defineOperationRoutes),
  ...FIXED_ROUTES,
]);
