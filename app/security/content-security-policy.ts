import { WEIGHT_ORIGINS } from './weight-origins.ts';

/**
 * Policy of every page. Scripts run by nonce only; pages contact only their own origin, so anyone can check that
 * nothing leaves the device. WebAssembly is compiled in workers, which follow WORKER_POLICY.
 */
export function pagePolicy(nonce: string, { development }: { development: boolean }): string {
  return join({
    'default-src': `'none'`,
    // React's development build explains errors by means of eval.
    'script-src': `'nonce-${nonce}' 'strict-dynamic'${development ? ` 'unsafe-eval'` : ''}`,
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': `'self' blob: data:`,
    'media-src': `'self' blob:`,
    'font-src': `'self'`,
    'connect-src': `'self' blob:`,
    'worker-src': `'self'`,
    'manifest-src': `'self'`,
    'base-uri': `'none'`,
    'form-action': `'self'`,
    'frame-ancestors': `'none'`,
    'object-src': `'none'`,
  });
}

/**
 * Policy of the scripts under `/_next/static`, which the workers started from them inherit. Workers may fetch weights
 * from their publishers when the visitor chooses such a model.
 */
export const WORKER_POLICY = join({
  'default-src': `'none'`,
  'script-src': `'self' 'wasm-unsafe-eval'`,
  'worker-src': `'self' blob:`,
  'connect-src': ["'self'", 'blob:', ...WEIGHT_ORIGINS].join(' '),
  // A response at such a path that is no script after all.
  'base-uri': `'none'`,
  'form-action': `'none'`,
  'frame-ancestors': `'none'`,
});

/** Policy of the service worker, which fetches this origin's files only. */
export const SERVICE_WORKER_POLICY = join({
  'default-src': `'none'`,
  'script-src': `'self'`,
  'connect-src': `'self'`,
  'base-uri': `'none'`,
  'form-action': `'none'`,
  'frame-ancestors': `'none'`,
});

function join(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
