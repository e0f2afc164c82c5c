export { readHealth } from './read-health.ts';
