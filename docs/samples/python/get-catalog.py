import json
from urllib.request import urlopen

catalog = json.load(urlopen("http://127.0.0.1:8080/catalog?group=default"))
for model in catalog["data"]:
    print(model["id"], model["prices"])
