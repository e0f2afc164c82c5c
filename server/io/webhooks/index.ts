export {
  buildWebhookSecretRow,
  createSignatureHeaders,
  deliverWebhook,
  FORCED_PAUSE_MS,
  listActiveSecrets,
} from './deliver-webhook.ts';
export {
  countDeliveries,
  listDeliveries,
  listDeliveryPage,
  listFailingHosts,
  purgeDeliveries,
  readDeliveryActivity,
  readDeliveryBody,
  resendDelivery,
} from './deliveries.ts';
export {
  announceEvent,
  announcing,
  DELIVERY_ATTEMPTS_MAX,
  DELIVERY_DAYS,
  delivering,
  enqueueDelivery,
  findReceiverDomain,
} from './queue-attempt.ts';
