/** Cookie by which a browser chooses what the dashboard shows: `test`, or anything else for live data. */
export const TEST_MODE_COOKIE = 'darkroom_mode';

/** Reports whether a request of the dashboard asks for the data of test keys. */
export function isInTestMode(headers: Pick<Headers, 'get'>): boolean {
  const cookies = headers.get('cookie')?.split(';') ?? [];
  return cookies.some((cookie) => cookie.trim() === `${TEST_MODE_COOKIE}=test`);
}
