import { connect, type Socket } from "node:net";

/** A response as it came over a bare socket. */
export interface RawResponse {
  /** 0 when nothing came. */
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Everything that was received, further answers included. */
  readonly text: string;
  /** The server closed the connection. */
  readonly closed: boolean;
}

/** Connects to a port of this machine. */
export function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.once("error", reject);
  });
}

/**
 * Sends bytes as they are and reads until the server closes, or until one response is whole (`whole`), or for `ms`.
 * Never rejects: a reset ends the reading.
 */
export async function sendRaw(port: number, bytes: string | Buffer, ms = 3_000): Promise<RawResponse> {
  const socket = await open(port);
  const chunks: Buffer[] = [];
  let closed = false;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    socket.on("error", () => {});
    socket.on("end", () => (closed = true));
    socket.on("close", () => {
      closed = true;
      done();
    });
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (isWhole(Buffer.concat(chunks).toString("latin1"))) setTimeout(done, 20);
    });
    socket.write(bytes);
  });
  socket.destroy();
  return { ...parse(Buffer.concat(chunks).toString("utf8")), closed };
}

/** Request bytes: a line, headers and a body. */
export function request(line: string, headers: readonly string[], body = ""): string {
  return `${line}\r\n${headers.map((header) => `${header}\r\n`).join("")}\r\n${body}`;
}

function isWhole(text: string): boolean {
  const split = text.indexOf("\r\n\r\n");
  if (split < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, split))?.[1];
  return length !== undefined && text.length >= split + 4 + Number(length);
}

function parse(text: string): Omit<RawResponse, "closed"> {
  const split = text.indexOf("\r\n\r\n");
  const head = split < 0 ? text : text.slice(0, split);
  const [line = "", ...lines] = head.split("\r\n");
  const headers: Record<string, string> = {};
  for (const entry of lines) {
    const colon = entry.indexOf(":");
    if (colon > 0) headers[entry.slice(0, colon).toLowerCase()] = entry.slice(colon + 1).trim();
  }
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? 0),
    headers,
    body: split < 0 ? "" : text.slice(split + 4),
    text,
  };
}
