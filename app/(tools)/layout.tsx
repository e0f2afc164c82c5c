import type { ReactNode } from 'react';
import { readEnv } from '../../server/base/env.ts';
import { ServerPrices } from '../studio/runs/server-prices.tsx';

export default function ToolsLayout({ children }: { children: ReactNode }) {
  return <ServerPrices amounts={readEnv().TERMS.prices}>{children}</ServerPrices>;
}
