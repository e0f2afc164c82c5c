import { sendAccountFile } from '../../../../server/api/trpc/send-account-file.ts';
import { getWebContext } from '../../../../server/ops/web-context.ts';

export const dynamic = 'force-dynamic';

interface Params {
  readonly params: Promise<{ readonly file: string }>;
}

export async function GET(request: Request, { params }: Params): Promise<Response> {
  return sendAccountFile(await getWebContext(), request, (await params).file);
}
