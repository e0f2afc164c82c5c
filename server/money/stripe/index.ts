export { findAutomaticTopUp, payerIsMember, stopAutomaticTopUps } from './automatic-top-up.ts';
export { isStripeConfigured } from './client.ts';
export { retryOutstandingRefunds } from './collect-owed.ts';
export { createCheckout } from './create-checkout.ts';
export { handleEvent } from './handle-event.ts';
export { listPayments } from './list-payments.ts';
export { purgeEvents } from './purge-events.ts';
export { deleteRetiredCustomers } from './retired-customers.ts';
export { chargeAutomaticTopUps } from './top-up-automatically.ts';
