curl "http://127.0.0.1:8080/catalog?group=default"
