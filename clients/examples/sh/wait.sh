curl "$DARKROOM_URL/api/v1/remove-bg" \
  -H "Authorization: Bearer $DARKROOM_KEY" \
  -H "Content-Type: application/json" \
  -d '{"image_url": "https://example.com/photo.jpg"}'
