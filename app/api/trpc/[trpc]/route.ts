import { handleCalls } from '../../../../server/api/trpc/handle-calls.ts';
import { getWebContext } from '../../../../server/ops/web-context.ts';

export const dynamic = 'force-dynamic';

async function handle(request: Request): Promise<Response> {
  return handleCalls(await getWebContext(), request);
}

export { handle as GET, handle as POST };
