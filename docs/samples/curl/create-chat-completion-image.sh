curl http://127.0.0.1:8080/v1/chat/completions \
  -H "Authorization: Bearer $MODELGATE_API_KEY" \
  -H "Content-Type: application/json" \
  -d @- <<EOF
{
  "model": "gpt-5.4",
  "messages": [{
    "role": "user",
    "content": [
      {"type": "text", "text": "What is in this image?"},
      {"type": "image_url", "image_url": {"url": "data:image/png;base64,$(base64 -w 0 lighthouse.png)"}}
    ]
  }]
}
EOF
