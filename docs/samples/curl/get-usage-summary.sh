curl "http://127.0.0.1:8080/v1/account/usage?group_by=model" \
  -H "Authorization: Bearer $MODELGATE_API_KEY"
