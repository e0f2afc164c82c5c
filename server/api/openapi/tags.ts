/** Groups of the API's operations, in order. */
export const TAGS = {
  operations: { name: 'Operations', description: 'Processing of images, audio and video, as prepaid jobs.' },
  batches: { name: 'Batches', description: 'Up to 100 requests as one job.' },
  jobs: { name: 'Jobs', description: 'States, lists, events and webhooks of jobs, and quotes before them.' },
  uploads: { name: 'Uploads', description: 'Files that later requests use as their inputs.' },
  workers: {
    name: 'Own workers',
    description: 'Jobs of an account on its own machines, as `darkroom worker` takes them.',
  },
  account: { name: 'Account', description: 'Money and usage of the key’s account.' },
  service: { name: 'Service', description: 'What this installation offers, and whether it accepts jobs.' },
} as const;
