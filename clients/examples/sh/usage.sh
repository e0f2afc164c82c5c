curl "$DARKROOM_URL/api/v2/usage" -H "Authorization: Bearer $DARKROOM_KEY"
