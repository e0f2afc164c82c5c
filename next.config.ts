import type { NextConfig } from 'next';
import { WORKER_POLICY } from './app/content-security-policy.ts';

/** Cross-origin isolation: what threads in WebAssembly ask for. */
const ISOLATION = [
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
];

const HARDENING = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'no-referrer' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=()' },
];

const config: NextConfig = {
  poweredByHeader: false,
  // Native or process-wide packages: loaded by Node itself, not bundled.
  serverExternalPackages: [
    'pino',
    'postgres',
    'prom-client',
    'undici',
    '@aws-sdk/client-s3',
    '@aws-sdk/lib-storage',
  ],
  typescript: { tsconfigPath: 'tsconfig.json' },
  headers: async () => [
    { source: '/((?!api/|cdn/).*)', headers: [...ISOLATION, ...HARDENING] },
    { source: '/_next/static/:path*', headers: [{ key: 'Content-Security-Policy', value: WORKER_POLICY }] },
  ],
};

export default config;
