curl "http://127.0.0.1:8080/v1/protocol?model=gpt-5.4" \
  -H "Authorization: Bearer $MODELGATE_API_KEY"
