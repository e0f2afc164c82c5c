/** Cookie by which a browser chooses what the dashboard shows: `test`, or anything else for live data. */
export const TEST_MODE_COOKIE = 'darkroom_mode';

/** Header by which a request of a signed-in user, without a key, acts as one with a test key: `test`. */
export const TEST_MODE_HEADER = 'x-darkroom-mode';
