import S3rver from 's3rver';

/** S3-compatible store with one bucket: `store-process.ts ADDRESS PORT FOLDER`. */
const [address = '', port = '', directory = ''] = process.argv.slice(2);
const store = new S3rver({
  address,
  port: Number(port),
  silent: true,
  directory,
  configureBuckets: [{ name: 'darkroom' }],
});
await store.run();
