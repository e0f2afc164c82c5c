export { createProber } from './prober.ts';
