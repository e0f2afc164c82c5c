curl "$DARKROOM_URL/api/v2/quotes" \
  -H "Authorization: Bearer $DARKROOM_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "model_id": "remove-bg",
    "request": {"image_url": "https://example.com/photo.jpg"}
  }'
