export { deliverWebhook } from './deliver-webhook.ts';
export { enqueueDelivery } from './enqueue-delivery.ts';
export { listDeliveries } from './list-deliveries.ts';
export { listDeliveryPage, readDeliveryActivity } from './page-deliveries.ts';
export { purgeDeliveries } from './purge-deliveries.ts';
export { findReceiverDomain } from './queue-attempt.ts';
export { resendDelivery } from './resend-delivery.ts';
export { DELIVERY_ATTEMPTS_MAX, DELIVERY_DAYS } from './retry-schedule.ts';
export { countDeliveries, listFailingHosts } from './service-statistics.ts';
