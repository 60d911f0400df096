import type { ClientId, ClientModels, ClientPart } from "../../contract/clients.ts";
import type { Data } from "./data.ts";
import type { FormatName, Setting } from "./file-format.ts";
import type { Machine, Place } from "./place.ts";

/** The settings that a client receives. */
export interface Order {
  /** Postern's own address: `http://127.0.0.1:6174`. */
  readonly origin: string;
  /** A local key, or what stands for it. */
  readonly key: string;
  readonly models: ClientModels;
  /** Tokens that a model takes at once; a likely figure where no one says. */
  readonly contextOf: (model: string) => number;
}

/** A client's base URL and key, as its file has them. */
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
  /** The client's current target, Postern or not; null when the file does not say. */
  readonly connected: (data: Data) => Connected | null;
  /** The client reads no comments and no trailing commas: it passes over a file that has them. */
  readonly plainJson?: true;
  /** The name of the setting by which the file gives another key, which the client would send as well; null for none. */
  readonly rival?: (data: Data) => string | null;
  /** The setting by which the client calls elsewhere although the file names Postern; null for none. */
  readonly detour?: (data: Data) => string | null;
  /** Files next to this one that the client puts over it where it is asked to. */
  readonly layers?: {
    readonly suffix: string;
    /** Says how the client is asked to, if it calls elsewhere then; else null. */
    readonly detour: (name: string, data: Data) => string | null;
  };
}

/** A client that Postern can write the file of. */
export interface ClientKind {
  readonly id: ClientId;
  readonly name: string;
  /** The client's API dialect. */
  readonly wire: "messages" | "responses" | "chat";
  /** Which models it asks for by name: `main`, or Claude Code's three. */
  readonly slots: readonly (keyof ClientModels)[];
  /** The key is not in the file of this client's models: it is shown once, for the person to enter. */
  readonly keyElsewhere: boolean;
  readonly files: Readonly<Partial<Record<ClientPart, ClientFile>>>;
}

/** A setting that has its place to itself. */
export function value(path: readonly string[], data: Data): Setting {
  return { kind: "value", path, value: data };
}

/** Returns a setting that is an entry in a list with entries of others. */
export function getItem(path: readonly string[], data: Data): Setting {
  return { kind: "item", path, value: data };
}

export const getText = (data: Data): string | null => (typeof data === "string" && data !== "" ? data : null);

/** The key in `Bearer sk-…`. */
export function readBearer(header: Data): string | null {
  return /^Bearer (\S+)$/.exec(getText(header) ?? "")?.[1] ?? null;
}
