export { createProber, type Prober } from './prober.ts';
