import { handleSession } from '../../../server/api/account/auth-routes.ts';
import { getWebContext } from '../../../server/ops/web-context.ts';

export const dynamic = 'force-dynamic';

export async function GET(request: Request): Promise<Response> {
  return handleSession(await getWebContext(), request);
}
