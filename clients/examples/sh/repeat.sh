send() {
  curl "$DARKROOM_URL/api/media-tools/v1/image-convert" \
    -H "Ocp-Apim-Subscription-Key: $DARKROOM_KEY" \
    -H "Content-Type: application/json" \
    -H "Idempotency-Key: order-1234" \
    -d '{
      "image_url": "https://example.com/photo.jpg",
      "to_format": "avif"
    }'
}
send
send # The same request_id: there is one job, and one charge.
