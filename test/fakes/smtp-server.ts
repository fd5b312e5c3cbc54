/** A mail server over a real socket. It accepts mail in the order of SMTP (RFC 5321), rejects everything else, and records what it accepted. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly user: string | null;
}

export interface SmtpServer {
  readonly port: number;
  readonly came: Mail[];
  /** Every command line, in order. */
  readonly commands: string[];
  /** Replies to the next messages, in order; all later ones get 250. */
  next(...replies: readonly string[]): void;
  close(): Promise<void>;
}

interface SmtpOptions {
  /** Requires this user. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Offers STARTTLS with this certificate, and requires it for the login. */
  readonly certificate?: { readonly key: string; readonly cert: string };
  /** Recipients that it doesn't know. */
  readonly unknown?: readonly string[];
}

const MAX_LINE = 998;

export async function openSmtpServer(options: SmtpOptions = {}): Promise<SmtpServer> {
  const [came, commands, replies]: [Mail[], string[], string[]] = [[], [], []];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    new Session(options, { came, commands, replies }).start(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    came,
    commands,
    next: (...more) => void replies.push(...more),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Journal {
  readonly came: Mail[];
  readonly commands: string[];
  readonly replies: string[];
}

class Session {
  readonly #options: SmtpOptions;
  readonly #journal: Journal;
  #socket: Socket | null = null;
  #received = '';
  #hasGreeted = false;
  #user: string | null = null;
  #from: string | null = null;
  #to: string[] = [];
  #isReadingData = false;
  #isStartingTls = false;

  constructor(options: SmtpOptions, journal: Journal) {
    this.#options = options;
    this.#journal = journal;
  }

  start(socket: Socket): void {
    this.#listen(socket);
    this.#reply('220 fake.example ESMTP');
  }

  #listen(socket: Socket): void {
    this.#socket = socket;
    socket.setEncoding('latin1').on('data', (text) => this.#read(String(text)));
  }

  #reply(line: string): void {
    this.#socket?.write(`${line}\r\n`);
  }

  #read(text: string): void {
    this.#received += text;
    for (;;) {
      const end = this.#received.indexOf(this.#isReadingData ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const part = this.#received.slice(0, end);
      this.#received = this.#received.slice(end + (this.#isReadingData ? 5 : 2));
      if (this.#isReadingData) this.#endData(part);
      else this.#run(part);
    }
  }

  #run(line: string): void {
    const [verb = '', ...rest] = line.split(' ');
    const name = verb.toUpperCase();
    this.#journal.commands.push(name === 'AUTH' ? `AUTH ${rest[0]}` : line);
    this.#reply(this.#answer(name, rest.join(' ')));
    if (name === 'QUIT') this.#socket?.end();
    if (name === 'STARTTLS' && this.#isStartingTls) this.#startTls();
  }

  #answer(name: string, given: string): string {
    if (name === 'QUIT') return '221 2.0.0 bye';
    if (name === 'EHLO' || name === 'HELO') return this.#greet(given);
    if (!this.#hasGreeted) return '503 5.5.1 say EHLO first';
    if (name === 'STARTTLS') return this.#allowTls();
    if (name === 'AUTH') return this.#authenticate(given);
    if (name === 'RSET') return this.#reset('250 2.0.0 ok');
    if (this.#options.login && this.#user === null) return '530 5.7.0 authentication required';
    if (name === 'MAIL') return this.#setSender(given);
    if (name === 'RCPT') return this.#addRecipient(given);
    return name === 'DATA' ? this.#startData() : '500 5.5.2 command not recognized';
  }

  #reset(reply: string): string {
    this.#from = null;
    this.#to = [];
    return reply;
  }

  get #isEncrypted(): boolean {
    return this.#socket instanceof TLSSocket;
  }

  #greet(domain: string): string {
    if (domain === '') return '501 5.5.4 domain missing';
    this.#hasGreeted = true;
    const { certificate, login } = this.#options;
    const offersLogin = login && (!certificate || this.#isEncrypted);
    const lines = ['fake.example', ...(certificate && !this.#isEncrypted ? ['STARTTLS'] : []), ...(offersLogin ? ['AUTH PLAIN'] : [])];
    return [...lines.map((line) => `250-${line}`), '250 SIZE 100000'].join('\r\n');
  }

  #allowTls(): string {
    this.#isStartingTls = this.#options.certificate !== undefined && !this.#isEncrypted;
    return this.#isStartingTls ? '220 2.0.0 ready' : '502 5.5.1 not available';
  }

  /** After TLS, everything said before is forgotten (RFC 3207). */
  #startTls(): void {
    const socket = this.#socket;
    if (!socket) return;
    socket.removeAllListeners('data');
    this.#hasGreeted = false;
    const secured = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(this.#options.certificate) });
    secured.on('error', () => undefined);
    this.#listen(secured);
  }

  #authenticate(text: string): string {
    const { login, certificate } = this.#options;
    const [method = '', initial = ''] = text.split(' ');
    if (!login || (certificate && !this.#isEncrypted) || method.toUpperCase() !== 'PLAIN') return '504 5.5.4 not available';
    const [, user, password] = Buffer.from(initial, 'base64').toString().split('\0');
    if (user !== login.user || password !== login.password) return '535 5.7.8 authentication failed';
    this.#user = user;
    return '235 2.7.0 welcome';
  }

  #setSender(text: string): string {
    const [, address] = /^FROM:<([^\s<>@]+@[^\s<>@]+)>(?: .*)?$/i.exec(text) ?? [];
    if (this.#from !== null) return '503 5.5.1 sender already given';
    if (address === undefined) return '501 5.1.7 bad sender address';
    this.#from = address;
    return '250 2.1.0 ok';
  }

  #addRecipient(text: string): string {
    const [, address] = /^TO:<([^\s<>@]+@[^\s<>@]+)>(?: .*)?$/i.exec(text) ?? [];
    if (this.#from === null) return '503 5.5.1 sender missing';
    if (address === undefined) return '501 5.1.3 bad recipient address';
    if (this.#options.unknown?.includes(address)) return '550 5.1.1 no such mailbox';
    this.#to.push(address);
    return '250 2.1.5 ok';
  }

  #startData(): string {
    if (this.#to.length === 0) return '503 5.5.1 no valid recipients';
    this.#isReadingData = true;
    return '354 end with a line that has only a dot';
  }

  #endData(data: string): void {
    this.#isReadingData = false;
    this.#reply(this.#reset(this.#accept(data)));
  }

  #accept(data: string): string {
    const lines = data.split('\r\n');
    if (/(?<!\r)\n|\r(?!\n)/.test(data)) return '550 5.6.0 bare line break';
    if (lines.some((line) => line.length > MAX_LINE)) return '500 5.6.0 line too long';
    const content = lines.map((line) => line.replace(/^\.\./, '.'));
    const blank = content.indexOf('');
    const head = content
      .slice(0, blank)
      .join('\r\n')
      .replaceAll(/\r\n[ \t]+/g, ' ');
    const headers = new Map(
      head.split('\r\n').map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    if (!headers.has('from') || !headers.has('date')) return '550 5.6.0 From and Date are required';
    const reply = this.#journal.replies.shift() ?? '250 2.0.0 queued as 4711';
    const body = content.slice(blank + 1).join('\n');
    const text = headers.get('content-transfer-encoding') === 'quoted-printable' ? decodeQuotedPrintable(body) : body;
    if (reply.startsWith('250')) this.#journal.came.push({ from: this.#from ?? '', to: this.#to, headers, text, user: this.#user });
    return reply;
  }
}

const decodeQuotedPrintable = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=\n/g, '').replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString();
