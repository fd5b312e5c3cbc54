curl "http://127.0.0.1:8080/v1/account/statement?limit=10" \
  -H "Authorization: Bearer $MODELGATE_API_KEY"
