curl "$DARKROOM_URL/api/v2/requests?status=COMPLETED&limit=10" \
  -H "Authorization: Bearer $DARKROOM_KEY"
