/** A method call on the message bus of a Linux desktop. Its arguments are strings. */
export interface BusCall {
  /** Counts from 1 upwards. */
  readonly serial: number;
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly args: readonly string[];
}

/** Types, as the protocol numbers them. */
const KINDS = ["invalid", "call", "response", "error", "signal"] as const;

/** A message received from the bus. */
export interface BusMessage {
  readonly kind: (typeof KINDS)[number];
  readonly body: Buffer;
}

/** Calls must not start the service that they ask. */
const NO_AUTO_START = 2;
const LITTLE_ENDIAN = 0x6c;
const FIXED_HEADER = 16;
/** The bus refuses longer messages. */
const LONGEST = 128 * 1024 * 1024;

const roundUp = (length: number, to: number): number => Math.ceil(length / to) * to;

function createText(value: string): Buffer {
  const bytes = Buffer.from(value);
  const written = Buffer.alloc(4 + bytes.length + 1);
  written.writeUInt32LE(bytes.length);
  bytes.copy(written, 4);
  return written;
}

/** Concatenates parts, each aligned to a multiple of `to`. */
function align(parts: readonly Buffer[], to: number): Buffer {
  let whole = Buffer.alloc(0);
  for (const part of parts)
    whole = Buffer.concat([whole, Buffer.alloc(roundUp(whole.length, to) - whole.length), part]);
  return whole;
}

/** A field of the header: its number, its type, its value. */
function createField(code: number, type: "o" | "s" | "g", value: string): Buffer {
  const bytes = type === "g" ? Buffer.from([value.length, ...Buffer.from(value), 0]) : createText(value);
  return Buffer.concat([Buffer.from([code, 1, type.charCodeAt(0), 0]), bytes]);
}

/** A call as it is sent. */
export function createBusCall(call: BusCall): Buffer {
  const body = align(call.args.map(createText), 4);
  const fields = align(
    [
      createField(1, "o", call.path),
      createField(2, "s", call.interface),
      createField(3, "s", call.member),
      createField(6, "s", call.destination),
      ...(call.args.length === 0 ? [] : [createField(8, "g", "s".repeat(call.args.length))]),
    ],
    8,
  );
  const header = Buffer.from([LITTLE_ENDIAN, 1, NO_AUTO_START, 1, ...Buffer.alloc(12)]);
  header.writeUInt32LE(body.length, 4);
  header.writeUInt32LE(call.serial, 8);
  header.writeUInt32LE(fields.length, 12);
  return align([Buffer.concat([header, fields]), body], 8);
}

/**
 * Returns the complete messages at the start of the received bytes, and the rest.
 * @throws Error if it is not the bus protocol
 */
export function readBus(bytes: Buffer): { readonly messages: readonly BusMessage[]; readonly rest: Buffer } {
  const messages: BusMessage[] = [];
  let at = 0;
  while (bytes.length - at >= FIXED_HEADER) {
    const isLittle = bytes[at] === LITTLE_ENDIAN;
    const number = (offset: number): number =>
      isLittle ? bytes.readUInt32LE(at + offset) : bytes.readUInt32BE(at + offset);
    const bodyStart = roundUp(FIXED_HEADER + number(12), 8);
    const length = bodyStart + number(4);
    if (bytes[at + 3] !== 1 || length > LONGEST) throw new Error("This is no message of a bus.");
    if (bytes.length - at < length) break;
    const kind = KINDS[bytes[at + 1] ?? 0] ?? "invalid";
    messages.push({ kind, body: bytes.subarray(at + bodyStart, at + length) });
    at += length;
  }
  return { messages, rest: bytes.subarray(at) };
}

/** Returns the boolean of a property response, or null for any other body. */
export function getBoolean({ kind, body }: BusMessage): boolean | null {
  // A variant: the length of its signature, `b`, the end of the signature; then four bytes.
  const isBoolean = kind === "response" && body.length === 8 && body[0] === 1 && body[1] === 0x62;
  return isBoolean ? body.readUInt32LE(4) + body.readUInt32BE(4) > 0 : null;
}

/**
 * Returns the socket of the session's bus, for `net.connect`; null if none is reachable.
 * @param env `process.env`
 */
export function getBusSocket(env: NodeJS.ProcessEnv): string | null {
  const runtime = env["XDG_RUNTIME_DIR"] ?? "";
  const addresses = env["DBUS_SESSION_BUS_ADDRESS"] ?? (runtime === "" ? "" : `unix:path=${runtime}/bus`);
  for (const address of addresses.split(";")) {
    const [, kind, value = ""] = /^unix:(?:.*,)?(path|abstract)=([^,]+)/.exec(address) ?? [];
    if (kind === undefined) continue;
    const name = decodeName(value);
    // On Linux a leading NUL marks a name outside the file system.
    if (name !== null) return kind === "abstract" ? `\0${name}` : name;
  }
  return null;
}

function decodeName(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
