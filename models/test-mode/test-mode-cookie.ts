/** Cookie by which a browser chooses what the dashboard shows: `test`, or anything else for live data. */
export const TEST_MODE_COOKIE = 'darkroom_mode';
