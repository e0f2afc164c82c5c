import { handleSession } from '../../../server/http/account/auth-routes.ts';
import { getWebContext } from '../../../server/http/web-context.ts';

export const dynamic = 'force-dynamic';

export async function GET(request: Request): Promise<Response> {
  return handleSession(await getWebContext(), request);
}
