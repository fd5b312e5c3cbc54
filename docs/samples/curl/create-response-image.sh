curl http://127.0.0.1:8080/v1/responses \
  -H "Authorization: Bearer $MODELGATE_API_KEY" \
  -H "Content-Type: application/json" \
  -d @- <<EOF
{
  "model": "gpt-5.4",
  "input": [{
    "role": "user",
    "content": [
      {"type": "input_text", "text": "What is in this image?"},
      {"type": "input_image", "image_url": "data:image/png;base64,$(base64 -w 0 lighthouse.png)"}
    ]
  }]
}
EOF
