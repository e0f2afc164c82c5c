export { deliverWebhook } from './deliver-webhook.ts';
export { enqueueDelivery } from './enqueue-delivery.ts';
export { listDeliveries } from './list-deliveries.ts';
export { deliveryActivityOf, pageOfDeliveries } from './page-of-deliveries.ts';
export { purgeDeliveries } from './purge-deliveries.ts';
export { requeueDelivery } from './requeue.ts';
export { resend } from './resend.ts';
export { DELIVERY_ATTEMPTS_MAX, DELIVERY_DAYS } from './schedule.ts';
export { countDeliveries, listFailingHosts } from './state-of-all.ts';
