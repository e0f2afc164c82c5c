export { findAutomaticTopUp, payerIsMember, stopAutomaticTopUps } from './automatic-top-up.ts';
export { chargeAutomaticTopUps } from './charge-top-ups.ts';
export { isStripeConfigured } from './client.ts';
export { createCheckout } from './create-checkout.ts';
export { handleEvent, purgeEvents } from './handle-event.ts';
export { listPayments } from './payment-state.ts';
export { deleteRetiredCustomers } from './retired-customers.ts';
export { retryOutstandingRefunds } from './settle-payments.ts';
