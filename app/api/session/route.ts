import { handleSession } from '../../../server/http/auth-routes.ts';
import { webContext } from '../../../server/http/web-context.ts';

export const dynamic = 'force-dynamic';

export async function GET(request: Request): Promise<Response> {
  return handleSession(await webContext(), request);
}
