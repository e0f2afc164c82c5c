curl -X DELETE "$DARKROOM_URL/api/v2/requests/$REQUEST_ID" \
  -H "Authorization: Bearer $DARKROOM_KEY"
