// Written by `npm run generate` from the OpenAPI document. Do not edit.
/** Version of this package. */
export const VERSION = '0.3.19';

export const OPERATIONS = {
  'media-convert-image': {"path":"/media-tools/v1/image-convert","authentication":"subscription-key","fields":{"image":"image_url"},"batchPath":"/media-tools/v1/image-convert/batch"},
  'remove-bg': {"path":"/v1/remove-bg","authentication":"bearer","fields":{"image":"image_url","video":"video_url"},"batchPath":"/v1/remove-bg/batch"},
  'image-moderation': {"path":"/content-safety/v1/image-moderation","authentication":"subscription-key","fields":{"image":"image_url"},"batchPath":"/content-safety/v1/image-moderation/batch","isDirect":true},
  'image-outpaint': {"path":"/image-outpaint/v1/image-outpaint-request","authentication":"subscription-key","fields":{"image":"image_url"},"batchPath":"/image-outpaint/v1/image-outpaint-request/batch"},
  'upscale': {"path":"/v1/upscale","authentication":"bearer","fields":{"image":"image_url","video":"video_url"},"batchPath":"/v1/upscale/batch"},
  'audio-diarize': {"path":"/audio-tools/v1/diarize","authentication":"subscription-key","fields":{"audio":"audio_url","video":"audio_url"}},
  'audio-separate-stems': {"path":"/audio-tools/v1/separate-stems","authentication":"subscription-key","fields":{"audio":"audio_url","video":"audio_url"}},
  'pipeline': {"path":"/v2/pipelines","authentication":"either","fields":{"image":"image_url","audio":"audio_url","video":"video_url"},"batchPath":"/v2/pipelines/batch"},
} as const;
