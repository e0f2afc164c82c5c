import { sendOwnFile } from '../../../../server/http/own-files.ts';
import { webContext } from '../../../../server/http/web-context.ts';

export const dynamic = 'force-dynamic';

interface Params {
  readonly params: Promise<{ readonly file: string }>;
}

export async function GET(request: Request, { params }: Params): Promise<Response> {
  return sendOwnFile(await webContext(), request, (await params).file);
}
