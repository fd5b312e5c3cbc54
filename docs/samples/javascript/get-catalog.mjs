const answer = await fetch('http://127.0.0.1:8080/catalog?group=default');
const catalog = await answer.json();
for (const { id, prices } of catalog.data) console.log(id, prices);
