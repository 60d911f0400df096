import type { ClientId, ClientModels, ClientPart } from "../../contract/clients.ts";
import type { Slot } from "../../contract/likely-models.ts";
import { getValue } from "./data.ts";
import type { Data, Finder } from "./data.ts";
import type { FormatName, Setting } from "./file-format.ts";
import type { Machine, Place } from "./place.ts";

/** A model that a client's picker offers. */
export interface Offered {
  readonly id: string;
  readonly name: string;
  /** Context size in tokens, output included; an assumed figure if unknown. */
  readonly context: number;
  /** Max output tokens; an assumed figure if unknown. */
  readonly output: number;
  readonly hasVision: boolean;
  readonly isReasoning: boolean;
}

/** The settings that a client receives. */
export interface Order {
  /** Postern's own address: `http://127.0.0.1:6174`. */
  readonly origin: string;
  /** Local key, or a variable for it. */
  readonly key: string;
  readonly models: ClientModels;
  /** Returns a model's context size in tokens; an assumed figure if unknown. */
  readonly contextOf: (model: string) => number;
  /** The models of its picker: the main one first. */
  readonly offered: readonly Offered[];
}

/** A client's base URL and key, as its file has them. */
export interface Connected {
  readonly url: string;
  /** Null if the client stores it elsewhere. */
  readonly key: string | null;
  readonly model: string | null;
}

/** How a client is set up in a file, for one of its parts. */
export interface ClientFile {
  readonly part: ClientPart;
  readonly format: FormatName;
  readonly place: (machine: Machine) => Place | null;
  readonly settings: (order: Order) => readonly Setting[];
  /** Reads the client's current target, Postern or not; null if the file has none. Absent if another file has it. */
  readonly connected?: (data: Data) => Connected | null;
  /** The client reads no comments and no trailing commas: it passes over a file that has them. */
  readonly plainJson?: true;
  /**
   * Returns the setting by which the file adds another key, which the client would send as well; null if there is no
   * such setting.
   */
  readonly rival?: (data: Data) => string | null;
  /**
   * Returns the setting that makes the client call elsewhere although the file names Postern; null if there is no such
   * setting.
   */
  readonly detour?: (data: Data) => string | null;
  /** Neighbouring files that the client can be asked to merge over this one. */
  readonly layers?: {
    readonly suffix: string;
    /** Returns how the client is asked to, if it then calls elsewhere; else null. */
    readonly detour: (name: string, data: Data) => string | null;
  };
}

/** A client that Postern can write the files of. */
export interface ClientKind {
  readonly id: ClientId;
  readonly name: string;
  /** The client's API dialect. */
  readonly wire: "messages" | "responses" | "chat" | "gemini";
  /** Model slots that it requests by name: `main`, or Claude Code's three. */
  readonly slots: readonly Slot[];
  /** The file lists the models that can be chosen in the app. */
  readonly hasPicker?: true;
  /** The key is not in the file of this client's models: it is shown once, for the person to enter. */
  readonly keyElsewhere?: true;
  readonly files: readonly ClientFile[];
  /** Settings link of clients that have no writable file. */
  readonly link?: {
    readonly url: (order: Order) => string;
    /** Returns a folder that exists if the client was used. */
    readonly trace: (machine: Machine) => Place | null;
  };
}

/** The parts of a client that Postern can write. */
export function listParts({ files, link }: ClientKind): readonly ClientPart[] {
  if (link !== undefined) return ["models"];
  return (["models", "mcp"] as const).filter((part) => files.some((file) => file.part === part));
}

/** Finds the file that sets the target of a part of a client. */
export function findFile({ files }: ClientKind, part: ClientPart): ClientFile | undefined {
  return files.find((file) => file.part === part && file.connected !== undefined);
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

type Steps = readonly (string | number | Finder)[];

/** Makes a reader of an address, a key and a model at their places; `postern/` before a model's id is the app's own. */
export function createReader(at: { readonly url: Steps; readonly key?: Steps; readonly model?: Steps }) {
  return (data: Data): Connected | null => {
    const url = getText(getValue(data, at.url));
    if (url === null) return null;
    const key = at.key === undefined ? null : getValue(data, at.key);
    const model = at.model === undefined ? null : getText(getValue(data, at.model));
    return { url, key: readBearer(key) ?? getText(key), model: model?.replace(/^(custom:)?postern[/:]/, "") ?? null };
  };
}

interface ToolFields {
  /** Settings field for the URL; most apps call it `url`. */
  readonly url?: string;
  /** Settings field for HTTP headers; most apps call it `headers`. */
  readonly headers?: string;
  /** Further fields of the entry. */
  readonly more?: Readonly<Record<string, Data>>;
}

/** Returns the file with an app's MCP servers, where the entry at `path` is Postern. */
export function getToolFile(
  format: FormatName,
  place: ClientFile["place"],
  path: readonly string[],
  { url = "url", headers = "headers", more = {} }: ToolFields = {},
): ClientFile {
  return {
    part: "mcp",
    format,
    place,
    settings: ({ origin, key }) => [
      value(path, { ...more, [url]: `${origin}/mcp`, [headers]: { Authorization: `Bearer ${key}` } }),
    ],
    connected: createReader({ url: [...path, url], key: [...path, headers, "Authorization"] }),
  };
}
