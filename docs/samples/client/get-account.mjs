import { Modelgate } from '@modelgate/client';

const client = new Modelgate({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const account = await client.getAccount();
console.log(account.name, account.balance?.available ?? 'calls are not charged');
