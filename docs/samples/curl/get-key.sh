curl "http://127.0.0.1:8080/v1/key" \
  -H "Authorization: Bearer $MODELGATE_API_KEY"
