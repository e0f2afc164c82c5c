export { spendingOf } from './spending.ts';
