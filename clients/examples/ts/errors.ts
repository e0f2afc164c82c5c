import {
  ApiError,
  createClient,
  JobFailedError,
} from '@darkroom/client';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});
try {
  // The client repeats what may pass, and waits for Retry-After.
  await client.run(
    'media-convert-image',
    'https://example.com/photo.jpg',
    {
      to_format: 'avif',
      quality: 500,
    },
  );
} catch (error) {
  if (error instanceof ApiError)
    console.log(error.status, error.code, error.field, error.message);
  else if (error instanceof JobFailedError)
    console.log(error.job.status, error.code, error.message);
  else throw error;
}
