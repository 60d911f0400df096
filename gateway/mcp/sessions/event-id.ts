import type { RequestId } from "@modelcontextprotocol/server";

/** What the id of an event in a stream says. */
export interface EventName {
  /** Random; another for each life of a session. */
  readonly life: string;
  /** 0 for the standing stream, the others in the order of their requests. */
  readonly stream: number;
  /** In the stream, from 1. */
  readonly sequence: number;
  /** The request that the stream answers, so that it can be answered after a restart too; null if there is none. */
  readonly request: RequestId | null;
}

/** Clients count their requests or name them by a UUID. Longer ones are left out: the id goes into a header. */
const MOST_REQUEST = 128;
const SHAPE = /^(?<life>[\w-]{12})\.(?<stream>\d{1,12})\.(?<sequence>\d{1,12})(?:\.(?<request>[\w-]{1,200}))?$/;

/** The name as one word for `Last-Event-ID`; without the request where that is too long. */
export function eventId({ life, stream, sequence, request }: EventName): string {
  const id = `${life}.${stream}.${sequence}`;
  const text = request === null ? null : JSON.stringify(request);
  if (text === null || Buffer.byteLength(text) > MOST_REQUEST) return id;
  return `${id}.${Buffer.from(text).toString("base64url")}`;
}

/** Null for what was not made by `eventId`. The id comes from a client, which may say what it likes to itself. */
export function readEventId(id: string): EventName | null {
  const { life, stream, sequence, request } = SHAPE.exec(id)?.groups ?? {};
  if (life === undefined) return null;
  return { life, stream: Number(stream), sequence: Number(sequence), request: requestOf(request) };
}

function requestOf(text: string | undefined): RequestId | null {
  if (text === undefined) return null;
  try {
    const request: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return typeof request === "string" || typeof request === "number" ? request : null;
  } catch {
    return null;
  }
}
