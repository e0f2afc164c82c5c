import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { NextConfig } from 'next';
import { PHASE_PRODUCTION_SERVER } from 'next/constants';
import { SERVICE_WORKER_POLICY, WORKER_POLICY } from './app/security/content-security-policy.ts';
import { OPEN_PAGES } from './app/security/isolation.ts';
import { FORMER_SLUGS, RECORDING_SLUGS } from './app/studio/tools/addresses.ts';
import { bundleHelper } from './server/ops/build/bundle-helper.ts';
import { writeVipsGlue } from './server/ops/build/patch-vips.ts';

/** Cross-origin isolation, which WebAssembly threads require. */
const ISOLATION = [
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
];

const permissions = (microphone: string) => ({
  key: 'Permissions-Policy',
  value: `camera=(), microphone=(${microphone}), geolocation=(), payment=()`,
});

/** Former paths of guides and of their Markdown twins, with today's, without the first slash. */
const FORMER_GUIDES = {
  'docs/own-machines': 'docs/self-hosted-workers',
  'docs/own-machines.md': 'docs/self-hosted-workers.md',
  'docs/console': 'docs/try',
};

const HARDENING = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'no-referrer' },
  permissions(''),
];

const config: NextConfig = {
  poweredByHeader: false,
  // No page uses the image service: it would resize for anyone.
  images: { unoptimized: true },
  // Native or process-wide packages: loaded by Node itself, not bundled.
  serverExternalPackages: [
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
    'pino',
    'postgres',
    'prom-client',
    'better-auth',
    '@better-auth/passkey',
    'nodemailer',
    'undici',
    '@aws-sdk/client-s3',
    '@aws-sdk/lib-storage',
  ],
  typescript: { tsconfigPath: 'tsconfig.json', ignoreBuildErrors: process.env.BUILD_WITHOUT_TYPES === '1' },
  experimental: {
    // Without it a folder that is built once is built in a fifth less time.
    turbopackFileSystemCacheForBuild: process.env.BUILD_WITHOUT_CACHE !== '1',
    // The service would start a second later, and hold what no request has used.
    preloadEntriesOnStart: false,
    // Lets a page respond with 403.
    authInterrupts: true,
  },
  redirects: async () =>
    Object.entries({ ...FORMER_SLUGS, ...FORMER_GUIDES }).map(([former, path]) => ({
      source: `/${former}`,
      destination: `/${path}`,
      permanent: true,
    })),
  headers: async () => [
    { source: '/((?!api/|cdn/).*)', headers: HARDENING },
    // The last one of a name counts.
    ...RECORDING_SLUGS.map((slug) => ({ source: `/${slug}`, headers: [permissions('self')] })),
    // Pages of an account are not isolated, but no window of another site has a hold on theirs.
    ...OPEN_PAGES.map((page) => ({
      source: `/${page}/:path*`,
      headers: [{ key: 'Cross-Origin-Opener-Policy', value: 'same-origin' }],
    })),
    { source: `/((?!api/|cdn/|(?:${OPEN_PAGES.join('|')})(?:/|$)).*)`, headers: ISOLATION },
    { source: '/_next/static/:path*', headers: [{ key: 'Content-Security-Policy', value: WORKER_POLICY }] },
    { source: '/vendor/:path*', headers: [{ key: 'Content-Security-Policy', value: WORKER_POLICY }] },
    ...['/service-worker.js', '/offline.js'].map((source) => ({
      source,
      headers: [{ key: 'Content-Security-Policy', value: SERVICE_WORKER_POLICY }],
    })),
  ],
};

/**
 * Copies the modules of @ffmpeg/ffmpeg to a public URL: bundlers fail on the way it starts its worker. A production
 * server finds them there.
 */
function copyFfmpeg(): void {
  const [from, to] = ['node_modules/@ffmpeg/ffmpeg/dist/esm', 'public/vendor/ffmpeg'];
  cpSync(join(import.meta.dirname, from), join(import.meta.dirname, to), { recursive: true });
}

export default function configFor(phase: string): NextConfig {
  if (phase !== PHASE_PRODUCTION_SERVER) {
    copyFfmpeg();
    writeVipsGlue(import.meta.dirname);
    bundleHelper(import.meta.dirname);
  }
  return config;
}
