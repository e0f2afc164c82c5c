curl "$DARKROOM_URL/api/media-tools/v1/image-convert" \
  -H "Ocp-Apim-Subscription-Key: $DARKROOM_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "image_url": "https://example.com/photo.jpg",
    "to_format": "avif"
  }'
