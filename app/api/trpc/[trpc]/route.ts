import { handleDashboardCalls } from '../../../../server/http/dashboard-calls.ts';
import { webContext } from '../../../../server/http/web-context.ts';

export const dynamic = 'force-dynamic';

async function handle(request: Request): Promise<Response> {
  return handleDashboardCalls(await webContext(), request);
}

export { handle as GET, handle as POST };
