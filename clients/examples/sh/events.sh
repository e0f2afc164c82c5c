curl --no-buffer "$DARKROOM_URL/api/v2/requests/status/$REQUEST_ID/events" \
  -H "Authorization: Bearer $DARKROOM_KEY"
