curl http://127.0.0.1:8080/v1/responses/compact \
  -H "Authorization: Bearer $MODELGATE_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "model": "gpt-5.4",
    "input": [
      {"role": "user", "content": "Plan a day in Oslo."},
      {"role": "assistant", "content": "A walk by the fjord first, then a museum."}
    ]
  }'
