import type { NextConfig } from 'next';

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
};

export default config;
