import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import type { MockProvider } from "./mock-provider.ts";

/** For *.provider.test, a hundred years. Test material: it protects nothing. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVSTPN2/tq6ufxuKs
RtCmhQ29S+1zu+ZkC39Uo0Jo16ChRANCAAT8K1sFNHxRs7PLt+DYiSIqNLtipcAR
AKnYFKQBaJ6vAbRxPmhDaeGtXo/w34pSQVtMiqc2umKqb4CXdTcZKgEM
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBuTCCAWCgAwIBAgIUYogu55RO+QGbJ5LuRqJAH/DJKy0wCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcHJvdmlkZXIudGVzdDAgFw0yNjExMjgyMjI0MjNaGA8yMTI2
MTEwNDIyMjQyM1owGDEWMBQGA1UEAwwNcHJvdmlkZXIudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABPwrWwU0fFGzs8u34NiJIio0u2KlwBEAqdgUpAFonq8B
tHE+aENp4a1ej/DfilJBW0yKpza6YqpvgJd1NxkqAQyjgYUwgYIwHQYDVR0OBBYE
FA+kmTa5KA/hv29zyhn59ObXb6nGMB8GA1UdIwQYMBaAFA+kmTa5KA/hv29zyhn5
9ObXb6nGMA8GA1UdEwEB/wQFMAMBAf8wLwYDVR0RBCgwJoINcHJvdmlkZXIudGVz
dIIPKi5wcm92aWRlci50ZXN0hwR/AAABMAoGCCqGSM49BAMCA0cAMEQCIEJYFQIf
XVz6s8NEhQZom5im4mbLOToOie0/LOs1PEQfAiA9Kvvpi+nnJKuZ1ZSkOnS3JA58
LiXbCQS+olkJIPCT4g==
-----END CERTIFICATE-----`;

/** One tunnel that a proxy was asked for. */
export interface SentRequest {
  readonly place: string;
  /** `user:password`, or null where none was sent. */
  readonly login: string | null;
}

/** An HTTP and SOCKS 5 proxy on loopback that leads every name to one port, counts, and may want a login. */
export class CountingProxy {
  readonly requests: SentRequest[] = [];
  /** `user:password`; null: anyone who comes. */
  login: string | null = null;
  readonly #server: Server;
  readonly #leadsTo: () => number;

  constructor(leadsTo: () => number) {
    this.#leadsTo = leadsTo;
    this.#server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", (head) =>
        head[0] === 5 ? this.#greet(socket, head) : this.#connect(socket, head.toString()),
      );
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  close(): void {
    this.#server.close();
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #connect(socket: Socket, head: string): void {
    const place = /^CONNECT (\S+) HTTP/.exec(head)?.[1] ?? "";
    const basic = /proxy-authorization: basic (\S+)/i.exec(head)?.[1];
    const login = basic === undefined ? null : Buffer.from(basic, "base64").toString();
    this.requests.push({ place, login });
    if (login !== this.login) return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    this.#join(socket, "HTTP/1.1 200 Connection established\r\n\r\n");
  }

  #greet(socket: Socket, greeting: Buffer): void {
    const methods = greeting.subarray(2);
    if (this.login === null) return this.#select(socket, null, 0);
    if (!methods.includes(2)) return void socket.end(Buffer.from([5, 0xff]));
    socket.once("data", (sent) => {
      const user = sent.subarray(2, 2 + (sent[1] ?? 0)).toString();
      const login = `${user}:${sent.subarray(3 + (sent[1] ?? 0)).toString()}`;
      if (login !== this.login) return void socket.end(Buffer.from([1, 1]));
      this.#awaitPlace(socket, login);
      socket.write(Buffer.from([1, 0]));
    });
    socket.write(Buffer.from([5, 2]));
  }

  #select(socket: Socket, login: string | null, method: number): void {
    this.#awaitPlace(socket, login);
    socket.write(Buffer.from([5, method]));
  }

  #awaitPlace(socket: Socket, login: string | null): void {
    socket.once("data", (sent) => {
      const name = sent.subarray(5, 5 + (sent[4] ?? 0)).toString();
      this.requests.push({ place: `${name}:${sent.readUInt16BE(sent.length - 2)}`, login });
      this.#join(socket, Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    });
  }

  #join(socket: Socket, words: string | Buffer): void {
    const onward = connect(this.#leadsTo(), "127.0.0.1", () => {
      socket.write(words);
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    socket.on("close", () => onward.destroy());
  }
}

/** TLS in front of a provider, under names below `provider.test` that no resolver knows. */
export async function serveTls(provider: Pick<MockProvider, "port">): Promise<Server> {
  const server = createTlsServer({ key: KEY, cert: CERTIFICATE }, (socket) => {
    const onward = connect(provider.port, "127.0.0.1");
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    socket.pipe(onward).pipe(socket);
    socket.on("close", () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** Trusts the certificate of `serveTls`. @returns ends that */
export function trustTestCertificate(): () => void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, CERTIFICATE]);
  return () => setDefaultCACertificates(before);
}
