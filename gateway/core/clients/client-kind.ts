import type { ClientId, ClientModels, ClientPart } from "../../contract/clients.ts";
import type { Data } from "./data.ts";
import type { FormatName, Setting } from "./file-format.ts";
import type { Machine, Place } from "./place.ts";

/** What a client is to be given. */
export interface Order {
  /** Postern's own address: `http://127.0.0.1:6174`. */
  readonly origin: string;
  /** A local key, or what stands for it. */
  readonly key: string;
  readonly models: ClientModels;
  /** Tokens that a model takes at once; a likely figure where no one says. */
  readonly contextOf: (model: string) => number;
}

/** What a client's file says of where it calls. */
export interface Connected {
  readonly url: string;
  /** Null where the client keeps it elsewhere. */
  readonly key: string | null;
  readonly model: string | null;
}

/** How one part of a client is set up in a file. */
export interface ClientFile {
  readonly format: FormatName;
  readonly place: (machine: Machine) => Place | null;
  readonly settings: (order: Order) => readonly Setting[];
  /** Where the client calls now, Postern or not; null when the file says nothing of it. */
  readonly connected: (data: Data) => Connected | null;
  /** The client reads no comments and no trailing commas: it passes over a file that has them. */
  readonly plainJson?: true;
  /** The name of the setting by which the file gives another key, which the client would send as well; null for none. */
  readonly rival?: (data: Data) => string | null;
  /** The setting by which the client calls elsewhere although the file names Postern; null for none. */
  readonly detour?: (data: Data) => string | null;
}

/** A client that Postern can write the file of. */
export interface ClientKind {
  readonly id: ClientId;
  readonly name: string;
  /** What it speaks. */
  readonly wire: "messages" | "responses" | "chat";
  /** Which models it asks for by name: `main`, or Claude Code's three. */
  readonly slots: readonly (keyof ClientModels)[];
  /** The key does not stand in the file of this client's models: it is told once, for the person to put in. */
  readonly keyElsewhere: boolean;
  readonly files: Readonly<Partial<Record<ClientPart, ClientFile>>>;
}

/** A setting that has its place to itself. */
export function value(path: readonly string[], data: Data): Setting {
  return { kind: "value", path, value: data };
}

/** A setting that is one of a list, beside entries of others. */
export function item(path: readonly string[], data: Data): Setting {
  return { kind: "item", path, value: data };
}

export const text = (data: Data): string | null => (typeof data === "string" && data !== "" ? data : null);

/** The key in `Bearer sk-…`. */
export function readBearer(header: Data): string | null {
  return /^Bearer (\S+)$/.exec(text(header) ?? "")?.[1] ?? null;
}
