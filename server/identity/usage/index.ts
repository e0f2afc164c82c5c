export { listCharges } from './list-charges.ts';
