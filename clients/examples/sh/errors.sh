# --retry waits for Retry-After, and repeats only what may pass.
curl --retry 4 --include \
  "$DARKROOM_URL/api/media-tools/v1/image-convert" \
  -H "Ocp-Apim-Subscription-Key: $DARKROOM_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: order-1235" \
  -d '{
    "image_url": "https://example.com/photo.jpg",
    "to_format": "avif",
    "quality": 500
  }'
