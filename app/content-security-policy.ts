import { browserOrigins } from '../models/weights/catalog.ts';

/**
 * The policy of every page. Scripts run by nonce only; pages talk to their own origin only, which is how anyone can
 * check that nothing leaves the device. WebAssembly is compiled in workers, whose policy is WORKER_POLICY.
 */
export function pagePolicy(nonce: string, { development }: { development: boolean }): string {
  return join({
    'default-src': `'none'`,
    // React's development build explains errors with the help of eval.
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
 * The policy of the scripts under `/_next/static`: it is the one that workers started from them live under. They may
 * fetch weights from those who publish them, when the visitor asks for such a network.
 */
export const WORKER_POLICY = join({
  'default-src': `'none'`,
  'script-src': `'self' 'wasm-unsafe-eval'`,
  'worker-src': `'self' blob:`,
  'connect-src': ["'self'", 'blob:', ...browserOrigins()].join(' '),
});

function join(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
